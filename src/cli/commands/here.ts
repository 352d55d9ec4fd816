import type { Command } from 'commander';
import { does, several, withServer, withVoice, type Definition } from './define.js';
import type { ServerParts } from '../server-parts.js';

/** Commands about this machine and the server's own parts. */
export function hereCommands(program: Command, definition: Definition, parts: ServerParts): void {
  const setup = program
    .command('setup')
    .description('prepare MongoDB and Temporal (safe to repeat) and import project files; where the server runs')
    .option('--project <file>', 'import this file too (several times)', several, [])
    .option('--rebind-temporal', 'bind the database to this Temporal, although it is bound to another one');
  setup.addHelpText(
    'after',
    `
Reads MONGODB_URL and TEMPORAL_ADDRESS, and for imports RUNHOOK_SECRET_KEYS. Where there is no account yet, it makes
an admin's (RUNHOOK_ADMIN_EMAIL, RUNHOOK_ADMIN_PASSWORD) and prints its random password once.`,
  );
  setup.action(({ project, rebindTemporal = false }: { project: string[]; rebindTemporal?: boolean }) =>
    parts.setUp({ projectFiles: project, rebindTemporal }),
  );

  const secrets = program.command('secrets').description('secrets at rest; where the server runs');
  secrets
    .command('rotate')
    .description('encrypt stored secrets again with the first key of RUNHOOK_SECRET_KEYS')
    .action(async () => definition.ended(await parts.rotateSecrets()));

  const doctor = program.command('doctor').description('check everything that is needed, and say what to do');
  does(withServer(doctor), definition, async () => (await import('../actions/doctor.js')).doctor(parts));

  const completion = program
    .command('completion')
    .description('a script that completes commands and options in your shell')
    .addArgument(program.createArgument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']));
  does(withVoice(completion), definition, async () => (await import('../actions/completion.js')).completion(program));
}
