import type { Command } from 'commander';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { withAction, collect, withProject, type Definition } from './define.js';

/** `runhook test …` and `runhook suite …`. */
export function targetCommands(program: Command, definition: Definition, kind: TargetKind): void {
  const group = program.command(kind).description(`list and run ${kind}s`);
  const list = group
    .command('list')
    .alias('ls')
    .description(`list the ${kind}s of a project`)
    .option('--search <text>', 'only names that contain this text')
    .option('--archived', `list archived ${kind}s instead`);
  withAction(withProject(list), definition, async () =>
    (await import('#src/cli/actions/list-targets.js')).listTargets(kind),
  );

  const run = withFollowing(
    group
      .command('run')
      .description(`run a ${kind}, wait for the run to end, and exit with its verdict`)
      .argument('<name>', `${kind} name or ID`)
      .option(
        '--variable <key=value>',
        'variable for the run (repeatable); KEY alone reads the value from the environment',
        collect,
        [],
      )
      .option(
        '--secret-variable <key=value>',
        'secret variable (repeatable), stored encrypted and masked in logs',
        collect,
        [],
      )
      .option('--profile <name>', 'name or ID of a variable set')
      .option(
        '--idempotency-key <key>',
        'repeating a command with the same key does not start another run (default: random)',
      ),
  );
  withAction(withProject(run), definition, async () =>
    (await import('#src/cli/actions/run-target.js')).runTarget(kind),
  );
}

/** Options of a command that starts a run and waits for it. */
export function withFollowing(command: Command): Command {
  return withWaiting(command.option('--no-wait', 'do not wait for the run to end'));
}

/** Options of a command that waits for a run. */
export function withWaiting(command: Command): Command {
  return command
    .option(
      '--timeout <time>',
      'stop waiting after this time: 90s, 10m, 2h; the run continues, and the exit code is 124',
    )
    .option('--reporter <kind>', 'report format: inline, junit, json (default: inline, or derived from --output-path)')
    .option('--output-path <file>', 'write the report to this file');
}
