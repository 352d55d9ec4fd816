import type { Command } from 'commander';
import { withAction, withServer, withOutputOptions, type Definition } from './define.js';

/** `runhook login` and `runhook config …`. */
export function settingsCommands(program: Command, definition: Definition): void {
  const login = program
    .command('login')
    .description('sign in with an API token, or with email and password to create one, and save it')
    .option('--email <address>', 'sign in with this email address and a password')
    .option('--with-token', 'read an API token from standard input')
    .option('--expires <time>', 'lifetime of the new token: 30d, 12h, never', '90d');
  withAction(withServer(login), definition, async () => (await import('#src/cli/actions/login.js')).login);

  const config = program.command('config').description('manage the configuration on this machine: url, token, project');
  const get = config.command('get').description('show a setting (tokens are masked)').argument('<key>');
  withAction(withOutputOptions(get), definition, async () => (await import('#src/cli/actions/config.js')).getConfig);
  const set = config
    .command('set')
    .description('change a setting; prompts for the value if it is omitted')
    .argument('<key>')
    .argument('[value]', 'the new value; an empty value removes the setting');
  withAction(withOutputOptions(set), definition, async () => (await import('#src/cli/actions/config.js')).setConfig);
  const list = config.command('list').alias('ls').description('list all settings and their sources');
  withAction(withOutputOptions(list), definition, async () => (await import('#src/cli/actions/config.js')).listConfig);
}
