import { CommanderError, type Command } from 'commander';
import { CliError } from './cli-error.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { Io } from './io.js';
import { createProgram } from './program.js';
import type { ServerParts } from './server-parts.js';

/**
 * Runs the command.
 * @param args arguments after `runhook`
 * @returns the exit code; errors are reported on stderr
 */
export async function runCli(args: string[], io: Io, version: string, parts: ServerParts): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.passed;
  const program = createProgram({ io, version, ended: (code) => void (exitCode = code) }, parts);
  forAll(program, (command) =>
    command.exitOverride().configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    }),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, io);
  }
}

function reportError(error: unknown, io: Io): ExitCode {
  // commander has already reported it. Requested help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
  if (error instanceof CliError) {
    io.stderr.write(`runhook: ${error.message}\n`);
    return error.exitCode;
  }
  const { stack, message } = error as Error;
  io.stderr.write(`runhook: ${io.env.RUNHOOK_DEBUG ? stack : message}\n`);
  return EXIT.error;
}

function forAll(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) forAll(child, change);
}
