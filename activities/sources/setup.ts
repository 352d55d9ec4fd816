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

/** How long saving to the cache may delay the test, in ms. */
const SAVE_MS = 2 * 60_000;

export interface SetupOptions {
  processes: ProcessRunner;
  cache: SetupCache;
  /** Folder for files that record the state of shared folders. */
  stateFolder: string;
}

/**
 * Prepares a test's files by running its setup, or by restoring an earlier result from the cache.
 * @param isOwnFolder the folder belongs to this attempt; otherwise it is shared, and setups in it run one at a time
 * @returns a verdict if it failed (`SETUP_FAILED`, `LIMIT_EXCEEDED`, `stopped`)
 */
export type RunSetup = (
  setup: SetupCommand,
  attempt: Attempt,
  isOwnFolder: boolean,
  limits?: TestLimits,
) => Promise<AttemptVerdict | undefined>;

export function createSetup({ processes, cache, stateFolder }: SetupOptions): RunSetup {
  const inTurn = createKeyedLock();

  return async (setup, attempt, isOwnFolder, limits = {}) => {
    const { folder, closedFolders = [], log, projectId } = attempt;
    const { command, keep, timeoutMs } = setup;
    const startedAt = performance.now();
    const took = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    const logLine = (text: string) => log.write('system', `— setup ${text}\n`);
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([attempt.signal, limit]);

    async function run(): Promise<AttemptVerdict | undefined> {
      await logLine(`started: ${command.join(' ')}`);
      const exit = await processes.run(
        { command, cwd: folder, env: testEnvironment(attempt), limits, sandbox: attempt.sandbox },
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
      await logLine(`finished in ${took()}`);
      return undefined;
    }

    async function runAndSave(key: string): Promise<AttemptVerdict | undefined> {
      const verdict = await run();
      if (verdict) return verdict;
      const saveSignal = AbortSignal.any([attempt.signal, AbortSignal.timeout(SAVE_MS)]);
      const problem = await cache.save(key, keep, folder, saveSignal);
      await logLine(problem === undefined ? `cached with key ${key.slice(0, 8)}` : `not cached: ${problem}`);
      return undefined;
    }

    async function restore(key: string): Promise<boolean> {
      const restored = await cache.restore(key, keep, folder, signal);
      if (restored) await logLine(`restored from cache with key ${key.slice(0, 8)} in ${took()}`);
      return restored;
    }

    /** Does not touch a shared folder that is up to date, because another test may be using it. */
    async function inSharedFolder(key: string | undefined): Promise<AttemptVerdict | undefined> {
      const stateFile = join(stateFolder, `place-${createHash('sha256').update(folder).digest('hex').slice(0, 40)}`);
      const isCurrent = key !== undefined && (await readFile(stateFile, 'utf8').catch(() => '')) === key;
      if (isCurrent && keep.every((name) => existsSync(join(folder, name)))) {
        await logLine(`skipped: the folder is up to date with key ${key.slice(0, 8)}`);
        return undefined;
      }
      await rm(stateFile, { force: true });
      if (key === undefined) return run();
      const verdict = (await restore(key)) ? undefined : await runAndSave(key);
      if (!verdict) await writeFile(stateFile, key);
      return verdict;
    }

    async function prepare(): Promise<AttemptVerdict | undefined> {
      const found = await setupKey(setup, { projectId, folder, closedFolders, signal });
      const key = 'key' in found ? found.key : undefined;
      if ('because' in found && found.because) await logLine(`is not cacheable: ${found.because}`);
      if (!isOwnFolder) return inTurn(folder, signal, () => inSharedFolder(key));
      if (key === undefined) return run();
      // Concurrent tests with the same key wait for the first one and restore its result.
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
