import type { RunStatus } from '../domain/run-status.js';

/** What the command ends with; scripts rely on these numbers. */
export const EXIT = {
  passed: 0,
  failed: 1,
  /** The command line, the configuration or the sign-in is wrong; nothing was started. */
  usage: 2,
  /** Trouble that is no verdict: of the run, the server or the network. */
  error: 3,
  stopped: 4,
  /** As of coreutils' `timeout`. */
  waitedTooLong: 124,
  /** As of a shell, after Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a run that is over. A skipped run tested nothing, so it must not look green: no verdict. */
export function exitCodeOf(status: RunStatus): ExitCode {
  if (status === 'passed') return EXIT.passed;
  if (status === 'failed') return EXIT.failed;
  return status === 'stopped' ? EXIT.stopped : EXIT.error;
}
