import type { Command } from 'commander';
import { withAction, collect, withServer, withOutputOptions, type Definition } from './define.js';
import type { ServerParts } from '#src/cli/server-parts.js';

/** Commands for this machine and for the server's own dependencies. */
export function localCommands(program: Command, definition: Definition, parts: ServerParts): void {
  const setup = program
    .command('setup')
    .description('prepare MongoDB and Temporal, and import project files (run it on the server; safe to repeat)')
    .option('--project <file>', 'import this project file (repeatable)', collect, [])
    .option('--rebind-temporal', 'bind the database to this Temporal even if it is bound to a different one');
  setup.addHelpText(
    'after',
    `
Reads MONGODB_URL and TEMPORAL_ADDRESS, and RUNHOOK_SECRET_KEYS for imports. If there are no accounts yet, it creates
an admin (RUNHOOK_ADMIN_EMAIL, RUNHOOK_ADMIN_PASSWORD). A generated password is printed only once.`,
  );
  setup.action(({ project, rebindTemporal = false }: { project: string[]; rebindTemporal?: boolean }) =>
    parts.setUp({ projectFiles: project, rebindTemporal }),
  );

  const secrets = program.command('secrets').description('manage encrypted secrets (run it on the server)');
  secrets
    .command('rotate')
    .description('re-encrypt stored secrets with the first key of RUNHOOK_SECRET_KEYS')
    .action(async () => definition.ended(await parts.rotateSecrets()));

  const doctor = program
    .command('doctor')
    .description('check the configuration and all dependencies, and suggest fixes');
  withAction(withServer(doctor), definition, async () => (await import('#src/cli/actions/doctor.js')).doctor(parts));

  const completion = program
    .command('completion')
    .description('generate a shell completion script')
    .addArgument(program.createArgument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']));
  withAction(withOutputOptions(completion), definition, async () =>
    (await import('#src/cli/actions/completion.js')).completion(program),
  );
}
