import type { TestLimits } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { Limited, Limiter } from '#activities/limits/limiter.js';
import type { RunLog } from '#activities/runners/runner.js';
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
  /** Of a test's program: held to these and the worker's own. Absent: nothing bounds it. */
  limits?: TestLimits;
}

/** How a program ended. */
export interface ProcessEnd extends Exit {
  /** Limits that were in force, as they are shown (`AttemptVerdict.limits`). */
  limits?: string;
}

interface ProcessSurroundings {
  log: RunLog;
  signal: AbortSignal;
}

/** Runs programs of tests, each in a process group of its own. */
export interface ProcessRunner {
  /**
   * Runs a program to its end, its output to the log; on an abort of the signal SIGTERM, and SIGKILL when the grace is over.
   * Nothing of it outlives the call, whatever the end.
   * @returns how it ended, or the verdict on an attempt whose program cannot be started, or has exceeded a limit
   * @throws LauncherLostError, or what the log threw
   */
  run(request: ProcessRequest, of: ProcessSurroundings): Promise<ProcessEnd | AttemptVerdict>;
}

export interface ProcessRunnerOptions {
  /** Unique; in the environment of every process, so that the reaper finds what a dead worker leaves. */
  workerId: string;
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs?: number;
  reaper: Pick<Reaper, 'add' | 'remove'>;
  launcher: Pick<Launcher, 'launch'>;
  /** Absent: nothing is bounded. */
  limiter?: Pick<Limiter, 'begin'>;
}

export function createProcessRunner(options: ProcessRunnerOptions): ProcessRunner {
  const { workerId, graceMs = GRACE_MS, reaper, launcher, limiter } = options;
  const leftovers = createLeftoverKiller(workerId);
  let executions = 0;

  async function runWithin(
    limited: Limited | undefined,
    id: string,
    { command, cwd, env }: ProcessRequest,
    { log, signal }: ProcessSurroundings,
  ): Promise<Exit | AttemptVerdict> {
    const startedAt = performance.now();
    const marked = { ...env, [WORKER_MARK]: workerId, [EXECUTION_MARK]: id };
    const launch = { command, cwd, env: marked, ...(limited && { via: limited.via }) };
    const child = await startCommand(launcher, launch).catch(async (error: unknown) => {
      await leftovers.kill({ id, startedAt: -Infinity }, true);
      throw error;
    });
    if ('status' in child) return child;

    reaper.add(child.pid);
    limited?.started(child.pid);
    const output = pumpOutput(child, limited?.counting(log) ?? log);
    let endedByUs = true;
    try {
      const exit = await supervise(child, { graceMs, signal });
      endedByUs = exit.endedByUs;
      return exit;
    } finally {
      await limited?.killRest();
      await leftovers.kill({ id, pgid: child.pid, startedAt }, endedByUs);
      reaper.remove(child.pid);
      await output.drain(signal);
    }
  }

  return {
    async run(request, of) {
      if (of.signal.aborted) return { status: 'stopped' };
      const id = String(++executions);
      const limited = request.limits && (await limiter?.begin(request.limits, { id, folder: request.cwd }));
      if (!limited) return runWithin(undefined, id, request, of);
      let inHaste = true;
      let exceeded: AttemptVerdict | undefined;
      let end: Exit | AttemptVerdict;
      try {
        end = await runWithin(limited, id, request, of);
        inHaste = of.signal.aborted;
      } finally {
        exceeded = await limited.end(inHaste);
      }
      return { ...(exceeded ?? end), limits: limited.inForce };
    },
  };
}
