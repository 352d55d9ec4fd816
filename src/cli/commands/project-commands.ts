import type { Command } from 'commander';
import { withAction, withProject, withServer, type Definition } from './define.js';

/** `runhook apply`, `runhook export` and `runhook project …`. */
export function projectCommands(program: Command, definition: Definition): void {
  const apply = program
    .command('apply')
    .description('apply a project file and show the changes')
    .argument('<file>', 'project file (YAML or JSON); - for standard input')
    .option('--dry-run', 'show the changes without applying them');
  withAction(withServer(apply), definition, async () => (await import('#src/cli/actions/apply.js')).apply);

  const exported = program
    .command('export')
    .description('export a project as a file for apply')
    .option('-o, --output <file>', 'write to this file (default: standard output)');
  withAction(withProject(exported), definition, async () => (await import('#src/cli/actions/export.js')).exportProject);

  const group = program.command('project').description('manage your membership in a project');

  const leave = group
    .command('leave')
    .description('leave a project; you lose access immediately, and pending invitations you created are revoked')
    .option('--keep-tokens', 'do not revoke the project API tokens you created')
    .option('-y, --yes', 'skip the confirmation');
  withAction(
    withProject(leave),
    definition,
    async () => (await import('#src/cli/actions/leave-project.js')).leaveProject,
  );
}
