import { EXIT, type ExitCode } from './exit-codes.js';

/** Ends the command with an exit code, and a message that states the problem and the remedy. */
export class CliError extends Error {
  override name = 'CliError';
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The command line, or a name in it, is wrong. */
export class UsageError extends CliError {
  override name = 'UsageError';
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
