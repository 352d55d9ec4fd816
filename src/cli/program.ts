import { Command } from 'commander';
import { localCommands } from '#src/cli/commands/local-commands.js';
import { projectCommands } from './commands/project-commands.js';
import { runCommands } from './commands/run-commands.js';
import { scheduleCommands } from './commands/schedule-commands.js';
import { settingsCommands } from './commands/settings-commands.js';
import { targetCommands } from './commands/target-commands.js';
import { tokenCommands } from './commands/token-commands.js';
import type { Definition } from './commands/define.js';
import type { ServerParts } from './server-parts.js';

const EXIT_CODES = `
Exit codes: 0 passed, 1 failed, 2 usage or sign-in, 3 error or skipped, 4 stopped, 124 timeout, 130 interrupted.
Settings: flags take precedence over RUNHOOK_URL, RUNHOOK_API_TOKEN and RUNHOOK_PROJECT, then the config file.`;

/** Declares the commands; their actions are loaded when they run. */
export function createProgram(definition: Definition, parts: ServerParts): Command {
  const program = new Command('runhook')
    .description('Run tests and suites, follow and stop their runs, and manage projects.')
    .version(definition.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help; for a command: runhook <command> --help')
    .helpCommand(false)
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(see runhook --help for commands, and runhook <command> --help for options)');
  settingsCommands(program, definition);
  targetCommands(program, definition, 'test');
  targetCommands(program, definition, 'suite');
  scheduleCommands(program, definition);
  runCommands(program, definition);
  projectCommands(program, definition);
  tokenCommands(program, definition);
  localCommands(program, definition, parts);
  return program;
}
