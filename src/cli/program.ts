import { Command } from 'commander';
import { hereCommands } from './commands/here.js';
import { projectCommands } from './commands/project.js';
import { runCommands } from './commands/runs.js';
import { scheduleCommands } from './commands/schedules.js';
import { settingsCommands } from './commands/settings.js';
import { targetCommands } from './commands/targets.js';
import { tokenCommands } from './commands/tokens.js';
import type { Definition } from './commands/define.js';
import type { ServerParts } from './server-parts.js';

const EXIT_CODES = `
Exit codes: 0 passed, 1 failed, 2 usage or sign-in, 3 error or skipped, 4 stopped, 124 waited too long, 130 interrupted.
Settings: flags, then RUNHOOK_URL, RUNHOOK_API_TOKEN and RUNHOOK_PROJECT, then what runhook login keeps.`;

/** The command line: declarations only; what a command does is loaded when it runs. */
export function createProgram(definition: Definition, parts: ServerParts): Command {
  const program = new Command('runhook')
    .description('Starts, watches and stops runs of tests and suites, and changes what they are made of.')
    .version(definition.version, '-V, --version', 'the version')
    .helpOption('-h, --help', 'help; of a command: runhook <command> --help')
    .helpCommand(false)
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(runhook --help lists the commands; runhook <command> --help its options)');
  settingsCommands(program, definition);
  targetCommands(program, definition, 'test');
  targetCommands(program, definition, 'suite');
  scheduleCommands(program, definition);
  runCommands(program, definition);
  projectCommands(program, definition);
  tokenCommands(program, definition);
  hereCommands(program, definition, parts);
  return program;
}
