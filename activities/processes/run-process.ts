import type { TestLimits } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { LimitedExecution, Limiter } from '#activities/limits/limiter.js';
import type { IsolationLevel } from '#src/domain/runs/isolation-level.js';
import { exitInside, refuseHidden } from '#activities/isolation/inside.js';
import type { Isolation } from '#activities/isolation/isolation.js';
import type { Sandbox } from '#activities/isolation/sandbox.js';
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
  /** The whole environment, except Runhook's own variables. */
  env: Record<string, string>;
  /** Limits of the test, in addition to the worker's. Absent: no limits. */
  limits?: TestLimits;
  /** Of a test's program: it runs inside. Absent: it runs as the worker's user, which is for the worker's own programs. */
  sandbox?: Sandbox;
}

/** How a program ended. */
export interface ProcessEnd extends Exit {
  /** The limits in force, as shown to users (`AttemptVerdict.limits`). */
  limits?: string;
  /** Of a test's program. */
  isolation?: IsolationLevel;
}

interface ProcessContext {
  log: RunLog;
  signal: AbortSignal;
}

/** Runs programs of tests, each in a process group of its own. */
export interface ProcessRunner {
  /**
   * Runs a program to its end and logs its output. When the signal is aborted, the program gets SIGTERM, and SIGKILL
   * after the grace period. No process of it outlives the call.
   * @returns how it ended, or a verdict if it could not be started or exceeded a limit
   * @throws LauncherLostError, or the log's error
   */
  run(request: ProcessRequest, context: ProcessContext): Promise<ProcessEnd | AttemptVerdict>;
}

export interface ProcessRunnerOptions {
  /** Unique; set in the environment of every process, so that the reaper finds the processes of a dead worker. */
  workerId: string;
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs?: number;
  reaper: Pick<Reaper, 'add' | 'remove'>;
  launcher: Pick<Launcher, 'launch'>;
  /** Absent: no limits. */
  limiter?: Pick<Limiter, 'begin'>;
  /** Absent: nothing is isolated. */
  isolation?: Isolation;
}

export function createProcessRunner(options: ProcessRunnerOptions): ProcessRunner {
  const { workerId, graceMs = GRACE_MS, reaper, launcher, limiter, isolation } = options;
  const leftovers = createLeftoverKiller(workerId);
  let executions = 0;

  async function runWithin(
    limited: LimitedExecution | undefined,
    id: string,
    { command, cwd, env, sandbox }: ProcessRequest,
    { log, signal }: ProcessContext,
  ): Promise<Exit | AttemptVerdict> {
    if (signal.aborted) return { status: 'stopped' };
    const startedAt = performance.now();
    const inside = sandbox && isolation?.sandboxes;
    const hidden = inside && refuseHidden({ command, cwd, env }, (file) => inside.isVisible(file, sandbox));
    if (hidden) return hidden;
    const marked = { ...env, [WORKER_MARK]: workerId, [EXECUTION_MARK]: id };
    const prefix = [...(limited?.commandPrefix ?? []), ...(inside?.via(sandbox!, cwd) ?? [])];
    const launch = { command, cwd, env: marked, prefix };
    const child = await startCommand(launcher, launch).catch(async (error: unknown) => {
      await leftovers.kill({ id, startedAt: -Infinity }, true);
      throw error;
    });
    if ('status' in child) return child;

    reaper.add(child.pid);
    limited?.started(child.pid);
    const output = pumpOutput(child, limited?.countOutput(log) ?? log);
    let isStopped = true;
    try {
      const exit = await supervise(child, { graceMs, signal });
      isStopped = exit.isStopped;
      return inside ? exitInside(exit) : exit;
    } finally {
      await limited?.killRemaining();
      await leftovers.kill({ id, pgid: child.pid, startedAt }, isStopped);
      reaper.remove(child.pid);
      await output.drain(signal);
    }
  }

  return {
    async run(request, context) {
      if (context.signal.aborted) return { status: 'stopped' };
      const id = String(++executions);
      const limited =
        request.limits && (await limiter?.begin(request.limits, { id, folder: request.cwd, signal: context.signal }));
      const level = request.limits && isolation && { isolation: isolation.level };
      if (!limited) return { ...(await runWithin(undefined, id, request, context)), ...level };
      let skipFinalCheck = true;
      let exceeded: AttemptVerdict | undefined;
      let end: Exit | AttemptVerdict;
      try {
        end = await runWithin(limited, id, request, context);
        skipFinalCheck = context.signal.aborted;
      } finally {
        exceeded = await limited.end(skipFinalCheck);
      }
      return { ...(exceeded ?? end), limits: limited.inForce, ...level };
    },
  };
}
