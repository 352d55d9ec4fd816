import type { Check } from '#src/domain/check.js';

/** As in `engines` of package.json. */
const MIN_VERSION = [20, 19] as const;

/** Checks the version of Node.js. */
export function checkNode(version = process.versions.node): Check[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1]);
  if (isNewEnough) return [{ level: 'ok', name: 'Node', message: version }];
  return [{ level: 'fail', name: 'Node', message: version, remedy: `Install Node ${MIN_VERSION.join('.')} or newer.` }];
}
