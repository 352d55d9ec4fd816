#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { main } from './main.js';

const USAGE = `Usage: runhook <command>

Commands:
  setup [--project FILE]...   Prepare MongoDB and Temporal (indexes, namespace check, search attributes, schedules)
                              and import project files. Makes an admin's account where there is none
                              (RUNHOOK_ADMIN_EMAIL, RUNHOOK_ADMIN_PASSWORD) and prints its random password once. Safe to
                              repeat. Reads MONGODB_URL, TEMPORAL_ADDRESS and, for imports, RUNHOOK_SECRET_KEYS from the
                              environment.
  secrets rotate              Seal every stored secret with the newest of RUNHOOK_SECRET_KEYS. Safe to repeat.
`;

main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, project: { type: 'string', multiple: true, default: [] } },
  });
  const [command, ...rest] = positionals;
  if (values.help) return void process.stdout.write(USAGE);
  if (command === 'secrets' && rest.join(' ') === 'rotate') {
    const { rotateSecretsCommand } = await import('./secrets-command.js');
    process.exitCode = await rotateSecretsCommand(process.env);
    return;
  }
  if (command !== 'setup' || rest.length > 0) {
    process.stderr.write(command ? `Unknown command: ${positionals.join(' ')}\n\n${USAGE}` : USAGE);
    process.exitCode = 2;
    return;
  }
  // Loaded here only: the other commands do without the servers' parts.
  const { setUpCommand } = await import('./set-up-command.js');
  await setUpCommand(values.project, process.env);
});
