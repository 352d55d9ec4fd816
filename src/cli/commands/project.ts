import type { Command } from 'commander';
import { does, withProject, withServer, type Definition } from './define.js';

/** `runhook apply` and `runhook export`: projects as files. */
export function projectCommands(program: Command, definition: Definition): void {
  const apply = program
    .command('apply')
    .description('make a project what its file says, and show what changes')
    .argument('<file>', 'project file (YAML or JSON); - reads standard input')
    .option('--dry-run', 'only show what would change');
  does(withServer(apply), definition, async () => (await import('../actions/apply.js')).apply);

  const exported = program
    .command('export')
    .description('the project as a file, as apply takes it')
    .option('-o, --output <file>', 'write it there');
  does(withProject(exported), definition, async () => (await import('../actions/export.js')).exportProject);
}
