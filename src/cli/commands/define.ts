import type { Command } from 'commander';
import { openCli, type Cli, type CommonOptions } from '#src/cli/cli.js';
import type { ExitCode } from '#src/cli/exit-codes.js';
import type { Io } from '#src/cli/io.js';

/** The implementation of a command. @returns the exit code; default 0 */
export type Action<Options, Args extends unknown[] = []> = (
  cli: Cli,
  options: Options & CommonOptions,
  ...args: Args
) => Promise<ExitCode | void>;

/** Shared by the declarations of all commands. */
export interface Definition {
  io: Io;
  version: string;
  /** Receives the exit code of the command. */
  ended(code: ExitCode): void;
}

/** Options of every command. */
export function withOutputOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'suppress messages on stderr')
    .option('--no-color', 'disable colors (same as NO_COLOR=1)');
}

/** Options of a command that uses a server. */
export function withServer(command: Command): Command {
  return withOutputOptions(
    command
      .option('--url <url>', 'server URL (RUNHOOK_URL)')
      .option('--api-token <token>', 'API token; prefer RUNHOOK_API_TOKEN, which keeps it out of the process list'),
  );
}

/** Options of a command that works on a project. */
export function withProject(command: Command): Command {
  return withServer(command.option('-p, --project <name>', 'project name, slug or ID (RUNHOOK_PROJECT)'));
}

/**
 * Sets the action of a command; its code is loaded only when it runs.
 * @param load imports the action
 */
export function withAction<Options, Args extends unknown[]>(
  command: Command,
  { io, version, ended }: Definition,
  load: () => Promise<Action<Options, Args>>,
): Command {
  return command.action(async (...received: unknown[]) => {
    // commander passes the arguments, then the options, then the command.
    const args = received.slice(0, -2) as Args;
    const options = command.opts<Options & CommonOptions>();
    const action = await load();
    ended((await action(await openCli(io, options, version), options, ...args)) ?? 0);
  });
}

/** For an option that can be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
