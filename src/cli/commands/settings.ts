import type { Command } from 'commander';
import { does, withServer, withVoice, type Definition } from './define.js';

/** `runhook login`, `runhook logout`-like and `runhook config …`: what is kept on this machine. */
export function settingsCommands(program: Command, definition: Definition): void {
  const login = program
    .command('login')
    .description('sign in: check an API token, or create one with e-mail and password, and keep it')
    .option('--email <address>', 'sign in with e-mail and password')
    .option('--with-token', 'read an API token from standard input')
    .option('--expires <time>', 'lifetime of a new token: 30d, 12h, never', '90d');
  does(withServer(login), definition, async () => (await import('../actions/login.js')).login);

  const config = program.command('config').description('what is kept on this machine: url, token, project');
  const get = config.command('get').description('one setting; a token is masked').argument('<key>');
  does(withVoice(get), definition, async () => (await import('../actions/config.js')).getConfig);
  const set = config
    .command('set')
    .description('keep a setting; without a value it is asked for')
    .argument('<key>')
    .argument('[value]', 'empty: forget it');
  does(withVoice(set), definition, async () => (await import('../actions/config.js')).setConfig);
  const list = config.command('list').alias('ls').description('all settings, and where each comes from');
  does(withVoice(list), definition, async () => (await import('../actions/config.js')).listConfig);
}
