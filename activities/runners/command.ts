import type { TestDefinition } from '../../src/domain/definitions.js';
import type { AttemptVerdict } from '../../src/domain/run.js';
import { testEnvironment } from './environment.js';
import { createLeftoverKiller } from './leftovers.js';
import type { Launcher } from './launcher.js';
import { pumpOutput } from './output.js';
import type { Reaper } from './reaper.js';
import type { Runner } from './runner.js';
import { startCommand } from './start-command.js';
import { supervise, type Exit } from './supervise.js';

const GRACE_MS = 5000;

export interface CommandRunnerOptions {
  /** Unique; in the environment of every test's process, so that the reaper finds what a dead worker leaves. */
  workerId: string;
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs?: number;
  reaper: Pick<Reaper, 'add' | 'remove'>;
  launcher: Pick<Launcher, 'launch'>;
}

/** Runs a test's command in a process group of its own. Nothing of it outlives `run`, whatever the verdict. */
export function createCommandRunner({ workerId, graceMs = GRACE_MS, reaper, launcher }: CommandRunnerOptions): Runner {
  const leftovers = createLeftoverKiller(workerId);
  let executions = 0;

  return {
    async run(definition, attempt) {
      if (attempt.signal.aborted) return { status: 'stopped' };
      const id = String(++executions);
      const startedAt = performance.now();
      const env = testEnvironment(definition, attempt, workerId, id);
      const child = await startCommand(launcher, definition, env).catch(async (error: unknown) => {
        await leftovers.kill({ id, startedAt: -Infinity }, true);
        throw error;
      });
      if ('status' in child) return child;

      reaper.add(child.pid);
      const output = pumpOutput(child, attempt.log);
      let endedByUs = true;
      try {
        const { timeoutMs } = definition;
        const exit = await supervise(child, { timeoutMs, graceMs, signal: attempt.signal });
        endedByUs = exit.endedFor !== undefined;
        return verdictOf(exit, definition);
      } finally {
        await leftovers.kill({ id, pgid: child.pid, startedAt }, endedByUs);
        reaper.remove(child.pid);
        await output.drain(attempt.signal);
      }
    },
  };
}

function verdictOf({ code, signal, endedFor }: Exit, { timeoutMs }: TestDefinition): AttemptVerdict {
  if (endedFor === 'stop') return { status: 'stopped' };
  if (endedFor === 'timeout') {
    const errorMessage = `The test was still running after ${timeoutMs / 1000} s, its timeout, and was ended. Make it faster, or raise its timeout.`;
    return { status: 'error', errorCode: 'TEST_TIMEOUT', errorMessage };
  }
  if (signal) {
    const why =
      signal === 'SIGKILL'
        ? 'The usual reason is that the machine ran out of memory: see the kernel log (dmesg), give it more memory or run fewer tests at a time (RUNHOOK_SLOTS).'
        : 'It crashed, or somebody ended it: see its log.';
    return { status: 'error', errorCode: 'KILLED', errorMessage: `The test was killed by ${signal}. ${why}` };
  }
  return code === 0 ? { status: 'passed', exitCode: 0 } : { status: 'failed', exitCode: code ?? -1 };
}
