import type { Command } from 'commander';
import { does, several, withProject, type Definition } from './define.js';

const TYPES = 'webhook, project (API token of the project) or personal (API token of yours; asks for your password)';

/** `runhook token …`. */
export function tokenCommands(program: Command, definition: Definition): void {
  const group = program.command('token').description('webhook tokens and API tokens');

  const list = group.command('list').alias('ls').description('tokens, never whole').option('--type <type>', TYPES);
  does(withProject(list), definition, async () => (await import('../actions/list-tokens.js')).listTokens);

  const create = group
    .command('create')
    .description('make an API token; it is printed this once')
    .argument('<name>', 'what it is for')
    .option('--type <type>', 'project (of the project) or personal (yours; asks for your password)', 'project')
    .option(
      '--scope <scope>',
      'read, run, edit, or admin (personal tokens only); several times (default: read and run)',
      several,
    )
    .option('--expires <time>', 'after this time: 30d, 12h');
  does(withProject(create), definition, async () => (await import('../actions/create-token.js')).createToken);

  const rotate = group
    .command('rotate')
    .description('make a new webhook token; the old one works on for a while')
    .option('--keep-old <time>', 'how long the old one works on: 0h to 720h', '24h');
  does(withProject(rotate), definition, async () => (await import('../actions/rotate-token.js')).rotateToken);

  const revoke = group
    .command('revoke')
    .description('end a token at once')
    .argument('<which>', 'number of a webhook token; id or name of an API token')
    .requiredOption('--type <type>', TYPES)
    .option('-y, --yes', 'do not ask');
  does(withProject(revoke), definition, async () => (await import('../actions/revoke-token.js')).revokeToken);
}
