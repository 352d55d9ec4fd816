import type { RunStatus } from '#src/domain/runs/run-status.js';

/** Exit codes of the command. Scripts rely on these numbers. */
export const EXIT = {
  passed: 0,
  failed: 1,
  /** Wrong command line, configuration or credentials; nothing was started. */
  usage: 2,
  /** No verdict: an error of the run, the server or the network. */
  error: 3,
  stopped: 4,
  /** Same as coreutils' `timeout`. */
  waitedTooLong: 124,
  /** Same as a shell's after Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a run that has ended. A skipped run tested nothing, so it must not look green. */
export function exitCodeOf(status: RunStatus): ExitCode {
  if (status === 'passed') return EXIT.passed;
  if (status === 'failed') return EXIT.failed;
  return status === 'stopped' ? EXIT.stopped : EXIT.error;
}
