import type { Check } from '#src/domain/check.js';

/** As package.json's `engines` has it. */
const OLDEST = [20, 19] as const;

/** Whether this Node is new enough. */
export function checkNode(version = process.versions.node): Check[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isNewEnough) return [{ level: 'ok', name: 'Node', message: version }];
  return [{ level: 'fail', name: 'Node', message: version, remedy: `Install Node ${OLDEST.join('.')} or newer.` }];
}
