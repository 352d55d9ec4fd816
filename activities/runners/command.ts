import type { CommandTest } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import { testEnvironment } from '#activities/processes/environment.js';
import type { ProcessEnd, ProcessRunner } from '#activities/processes/run-process.js';
import type { Runner } from './runner.js';

/** Runs a test's command. The exit code determines the verdict. */
export function createCommandRunner({ processes }: { processes: ProcessRunner }): Runner<CommandTest> {
  return {
    async run({ command, limits = {} }, attempt) {
      const request = { command, cwd: attempt.folder, env: testEnvironment(attempt), limits, sandbox: attempt.sandbox };
      const end = await processes.run(request, attempt);
      if ('status' in end) return end;
      const { limits: inForce, isolation } = end;
      return { ...verdictOf(end), ...(inForce && { limits: inForce }), ...(isolation && { isolation }) };
    },
  };
}

function verdictOf({ code, signal, isStopped }: ProcessEnd): AttemptVerdict {
  if (isStopped) return { status: 'stopped' };
  if (signal) {
    const why =
      signal === 'SIGKILL'
        ? 'The usual reason is that the machine ran out of memory: see the kernel log (dmesg), give it more memory or run fewer tests at a time (RUNHOOK_SLOTS).'
        : 'It crashed, or someone stopped it: see the log of the test.';
    return { status: 'error', errorCode: 'KILLED', errorMessage: `The test was killed by ${signal}. ${why}` };
  }
  return code === 0 ? { status: 'passed', exitCode: 0 } : { status: 'failed', exitCode: code ?? -1 };
}
