import type { AttemptVerdict } from '../../src/domain/run.js';
import type { RunLog } from '../runners/runner.js';
import { EXECUTION_MARK, WORKER_MARK } from './proc-scan.js';
import { createLeftoverKiller } from './leftovers.js';
import type { Launcher } from './launcher.js';
import { pumpOutput } from './output.js';
import type { Reaper } from './reaper.js';
import { startCommand } from './start-command.js';
import { supervise, type Exit } from './supervise.js';

const GRACE_MS = 5000;

export interface ProcessRequest {
  /** Program and arguments; started without a shell. */
  command: string[];
  /** Absolute. */
  cwd: string;
  /** All of its environment, but our marks. */
  env: Record<string, string>;
}

/** Runs programs of tests, each in a process group of its own. */
export interface ProcessRunner {
  /**
   * Runs a program to its end, its output to the log; on an abort of the signal SIGTERM, and SIGKILL when the grace is over.
   * Nothing of it outlives the call, whatever the end.
   * @returns how it ended, or the verdict on an attempt whose program cannot be started
   * @throws LauncherLostError, or what the log threw
   */
  run(request: ProcessRequest, of: { log: RunLog; signal: AbortSignal }): Promise<Exit | AttemptVerdict>;
}

export interface ProcessRunnerOptions {
  /** Unique; in the environment of every process, so that the reaper finds what a dead worker leaves. */
  workerId: string;
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs?: number;
  reaper: Pick<Reaper, 'add' | 'remove'>;
  launcher: Pick<Launcher, 'launch'>;
}

export function createProcessRunner(options: ProcessRunnerOptions): ProcessRunner {
  const { workerId, graceMs = GRACE_MS, reaper, launcher } = options;
  const leftovers = createLeftoverKiller(workerId);
  let executions = 0;

  return {
    async run({ command, cwd, env }, { log, signal }) {
      if (signal.aborted) return { status: 'stopped' };
      const id = String(++executions);
      const startedAt = performance.now();
      const marked = { ...env, [WORKER_MARK]: workerId, [EXECUTION_MARK]: id };
      const child = await startCommand(launcher, { command, cwd, env: marked }).catch(async (error: unknown) => {
        await leftovers.kill({ id, startedAt: -Infinity }, true);
        throw error;
      });
      if ('status' in child) return child;

      reaper.add(child.pid);
      const output = pumpOutput(child, log);
      let endedByUs = true;
      try {
        const exit = await supervise(child, { graceMs, signal });
        endedByUs = exit.endedByUs;
        return exit;
      } finally {
        await leftovers.kill({ id, pgid: child.pid, startedAt }, endedByUs);
        reaper.remove(child.pid);
        await output.drain(signal);
      }
    },
  };
}
