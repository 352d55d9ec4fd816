import type { Command } from 'commander';
import { openCli, type Cli, type CommonOptions } from '../cli.js';
import type { ExitCode } from '../exit-codes.js';
import type { Io } from '../io.js';

/** What a command does: gets its options and arguments. @returns the exit code; nothing means 0 */
export type Action<Options, Args extends unknown[] = []> = (
  cli: Cli,
  options: Options & CommonOptions,
  ...args: Args
) => Promise<ExitCode | void>;

/** What the declarations of the commands share. */
export interface Definition {
  io: Io;
  version: string;
  /** Told the exit code of the command that ran. */
  ended(code: ExitCode): void;
}

/** Options of every command. */
export function withVoice(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'no talk on stderr')
    .option('--no-color', 'no colours (as NO_COLOR=1)');
}

/** Options of a command that talks to a server. */
export function withServer(command: Command): Command {
  return withVoice(
    command
      .option('--url <url>', 'address of the server (RUNHOOK_URL)')
      .option('--api-token <token>', 'API token; better in RUNHOOK_API_TOKEN, where nobody sees it'),
  );
}

/** Options of a command about a project's things. */
export function withProject(command: Command): Command {
  return withServer(command.option('-p, --project <name>', 'name, slug or id of the project (RUNHOOK_PROJECT)'));
}

/**
 * Gives a command its action, whose code is loaded only when it runs.
 * @param load imports the action
 */
export function does<Options, Args extends unknown[]>(
  command: Command,
  { io, version, ended }: Definition,
  load: () => Promise<Action<Options, Args>>,
): Command {
  return command.action(async (...received: unknown[]) => {
    // commander gives the arguments, then the options, then the command.
    const args = received.slice(0, -2) as Args;
    const options = command.opts<Options & CommonOptions>();
    const action = await load();
    ended((await action(await openCli(io, options, version), options, ...args)) ?? 0);
  });
}

/** An option that may be given several times. */
export function several(value: string, before: string[] = []): string[] {
  return [...before, value];
}
