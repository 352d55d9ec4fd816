import type { Command } from 'commander';
import { withAction, collect, withProject, type Definition } from './define.js';

const TYPES = 'webhook, project (project API token) or personal (personal API token; asks for your password)';

/** `runhook token …`. */
export function tokenCommands(program: Command, definition: Definition): void {
  const group = program.command('token').description('manage webhook tokens and API tokens');

  const list = group
    .command('list')
    .alias('ls')
    .description('list tokens (without their values)')
    .option('--type <type>', TYPES);
  withAction(withProject(list), definition, async () => (await import('#src/cli/actions/list-tokens.js')).listTokens);

  const create = group
    .command('create')
    .description('create an API token and print it once')
    .argument('<name>', 'name of the token')
    .option('--type <type>', 'project or personal (asks for your password)', 'project')
    .option(
      '--scope <scope>',
      'read, run, edit or admin (personal tokens only); repeatable (default: read and run)',
      collect,
    )
    .option('--expires <time>', 'lifetime: 30d, 12h (default: never expires)');
  withAction(
    withProject(create),
    definition,
    async () => (await import('#src/cli/actions/create-token.js')).createToken,
  );

  const rotate = group
    .command('rotate')
    .description('create a new webhook token; the previous ones remain valid for a while')
    .option('--keep-old <time>', 'how long previous tokens remain valid: 0h to 720h', '24h');
  withAction(
    withProject(rotate),
    definition,
    async () => (await import('#src/cli/actions/rotate-token.js')).rotateToken,
  );

  const revoke = group
    .command('revoke')
    .description('revoke a token immediately')
    .argument('<which>', 'webhook token number, or API token ID or name')
    .requiredOption('--type <type>', TYPES)
    .option('-y, --yes', 'skip the confirmation');
  withAction(
    withProject(revoke),
    definition,
    async () => (await import('#src/cli/actions/revoke-token.js')).revokeToken,
  );
}
