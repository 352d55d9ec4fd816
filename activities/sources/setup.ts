import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { SetupCommand } from '#src/domain/targets/test-source.js';
import { createKeyedLock } from '#src/lib/keyed-lock.js';
import { testEnvironment } from '#activities/processes/environment.js';
import type { ProcessRunner } from '#activities/processes/run-process.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { SetupCache } from './setup-cache.js';
import { setupKey } from './setup-key.js';

/** How long its folders may take to be kept, when the test could begin already. */
const SAVE_MS = 2 * 60_000;

export interface SetupOptions {
  processes: ProcessRunner;
  cache: SetupCache;
  /** For notes on what is in place in folders that are not ours. */
  notes: string;
}

/**
 * Makes a test's files ready by its setup, or by what the same setup has made before.
 * @param isOurs the folder was made for this attempt; else it is shared, and setups in it take turns
 * @returns the verdict when it did not succeed (`SETUP_FAILED`, `LIMIT_EXCEEDED`, `stopped`)
 */
export type RunSetup = (
  setup: SetupCommand,
  attempt: Attempt,
  isOurs: boolean,
  limits?: TestLimits,
) => Promise<AttemptVerdict | undefined>;

export function createSetup({ processes, cache, notes }: SetupOptions): RunSetup {
  const inTurn = createKeyedLock();

  return async (setup, attempt, isOurs, limits = {}) => {
    const { folder, closedFolders = [], log, projectId } = attempt;
    const { command, keep, timeoutMs } = setup;
    const startedAt = performance.now();
    const took = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    const say = (text: string) => log.write('system', `— setup ${text}\n`);
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([attempt.signal, limit]);

    async function run(): Promise<AttemptVerdict | undefined> {
      await say(`started: ${command.join(' ')}`);
      const exit = await processes.run(
        { command, cwd: folder, env: testEnvironment(attempt), limits },
        { log, signal },
      );
      if ('status' in exit) {
        if (exit.status === 'stopped') return exit;
        if (exit.errorCode === 'LIMIT_EXCEEDED') return exit;
        return failed(`could not be started. ${exit.errorMessage ?? ''}`);
      }
      if (exit.isStopped) return { status: 'stopped' };
      if (exit.signal) return failed(`was killed by ${exit.signal} after ${took()}`);
      if (exit.code !== 0) return failed(`failed with exit code ${exit.code} after ${took()}`, exit.code ?? undefined);
      await say(`finished in ${took()}`);
      return undefined;
    }

    async function runAndSave(key: string): Promise<AttemptVerdict | undefined> {
      const verdict = await run();
      if (verdict) return verdict;
      const within = AbortSignal.any([attempt.signal, AbortSignal.timeout(SAVE_MS)]);
      const problem = await cache.save(key, keep, folder, within);
      await say(problem === undefined ? `cached with key ${key.slice(0, 8)}` : `not cached: ${problem}`);
      return undefined;
    }

    async function restore(key: string): Promise<boolean> {
      const restored = await cache.restore(key, keep, folder, signal);
      if (restored) await say(`restored from cache with key ${key.slice(0, 8)} in ${took()}`);
      return restored;
    }

    /** In a folder of somebody else's nothing is touched that is in place already: another test may be using it. */
    async function inSharedFolder(key: string | undefined): Promise<AttemptVerdict | undefined> {
      const note = join(notes, `place-${createHash('sha256').update(folder).digest('hex').slice(0, 40)}`);
      const inPlace = key !== undefined && (await readFile(note, 'utf8').catch(() => '')) === key;
      if (inPlace && keep.every((name) => existsSync(join(folder, name)))) {
        await say(`skipped: the folder is up to date with key ${key.slice(0, 8)}`);
        return undefined;
      }
      await rm(note, { force: true });
      if (key === undefined) return run();
      const verdict = (await restore(key)) ? undefined : await runAndSave(key);
      if (!verdict) await writeFile(note, key);
      return verdict;
    }

    async function prepare(): Promise<AttemptVerdict | undefined> {
      const found = await setupKey(setup, { projectId, folder, closedFolders, signal });
      const key = 'key' in found ? found.key : undefined;
      if ('because' in found && found.because) await say(`is not cacheable: ${found.because}`);
      if (!isOurs) return inTurn(folder, signal, () => inSharedFolder(key));
      if (key === undefined) return run();
      // Tests that want the same at once wait for the first, and take what it has made.
      if (await restore(key)) return undefined;
      return inTurn(key, signal, async () => ((await restore(key)) ? undefined : runAndSave(key)));
    }

    const verdict = await prepare().catch((error: unknown): AttemptVerdict => {
      if (signal.aborted) return { status: 'stopped' };
      throw error;
    });
    if (verdict?.status !== 'stopped' || attempt.signal.aborted) return verdict;
    return failed(
      `was still running after ${timeoutMs / 1000} s, its timeout, and was stopped. Make it faster, or increase the timeout`,
    );
  };
}

function failed(what: string, exitCode?: number): AttemptVerdict {
  const errorMessage = `The setup ${what.replace(/\.$/, '')}. The test did not run. See the log.`;
  return { status: 'error', errorCode: 'SETUP_FAILED', errorMessage, ...(exitCode === undefined ? {} : { exitCode }) };
}
