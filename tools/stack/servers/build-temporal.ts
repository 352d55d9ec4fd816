import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '#scripts/lib/run.mjs';
import { withProgress } from '#scripts/lib/progress.mjs';
import { repositoryRoot } from '#tools/stack/paths.js';
import { isExecutable, onPath } from './on-path.js';
import { NotPossibleError } from './not-possible.js';

const MODULE = join(repositoryRoot, 'temporal-config/dev-server');

/** The pinned version with a hash of its module files: `1.8.2-1a2b3c4d`. */
export function pinnedTemporalVersion(): string {
  const [mod, sum] = ['go.mod', 'go.sum'].map((name) => readFileSync(join(MODULE, name), 'utf8')) as [string, string];
  const version = /temporalio\/cli v(\S+)/.exec(mod)?.[1];
  if (!version) throw new Error(`${MODULE}/go.mod does not specify a version of github.com/temporalio/cli`);
  return `${version}-${createHash('sha256').update(mod).update(sum).digest('hex').slice(0, 8)}`;
}

/**
 * Builds Temporal's CLI, which contains the dev server, with Go from the module in temporal-config/dev-server.
 * @param target path of the executable
 * @param logFile output of the build
 * @throws NotPossibleError without a suitable Go, or when the build fails
 */
export async function buildTemporal(target: string, logFile: string, env: NodeJS.ProcessEnv): Promise<void> {
  const go = findGo(env);
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', target, 'tool'];
  // Without cgo, no C compiler is required and the binary runs with any libc.
  const settings = { GOWORK: 'off', CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly' };
  try {
    await withProgress('Building Temporal with Go (once; about 4 minutes on two cores)', () =>
      run(go, args, { cwd: MODULE, logFile, env: { ...env, ...settings } }),
    );
  } catch (error) {
    throw new NotPossibleError((error as Error).message);
  }
}

/** @throws NotPossibleError */
function findGo(env: NodeJS.ProcessEnv): string {
  const installed = '/usr/local/go/bin/go';
  const go = onPath('go', env) ?? (isExecutable(installed) ? installed : undefined);
  if (!go) throw new NotPossibleError('Go is not installed (1.21 or newer is required)');
  const version = spawnSync(go, ['version'], { encoding: 'utf8', env: { ...env, GOTOOLCHAIN: 'local' } }).stdout;
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(version) ?? [];
  // Go 1.21 and newer download the toolchain required by go.mod.
  if (Number(major) === 1 && Number(minor) < 21) {
    throw new NotPossibleError(`${go} is too old (${version.trim()}; 1.21 or newer is required)`);
  }
  return go;
}
