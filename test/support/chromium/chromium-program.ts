import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.js';

/**
 * Chromium as one program, for RUNHOOK_CHROMIUM: a wrapper script if it needs environment variables.
 * @throws NotPossibleError
 */
export async function chromiumProgram(): Promise<string> {
  const { path, env } = await findChromium((line) => console.log(line));
  if (!env) return path;
  const folder = mkdtempSync(join(tmpdir(), 'runhook-chromium-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'chromium');
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(script, `#!/bin/sh\nexec env ${variables.join(' ')} '${path}' "$@"\n`, { mode: 0o755 });
  return script;
}
