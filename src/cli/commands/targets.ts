import type { Command } from 'commander';
import type { TargetKind } from '../api/shapes.js';
import { does, several, withProject, type Definition } from './define.js';

/** `runhook test …` and `runhook suite …`. */
export function targetCommands(program: Command, definition: Definition, kind: TargetKind): void {
  const group = program.command(kind).description(`list and run ${kind}s`);
  const list = group
    .command('list')
    .alias('ls')
    .description(`the ${kind}s of a project`)
    .option('--search <text>', 'only those whose name has this')
    .option('--archived', 'the archived ones');
  does(withProject(list), definition, async () => (await import('../actions/list-targets.js')).listTargets(kind));

  const run = withFollowing(
    group
      .command('run')
      .description(`start a run of a ${kind}, wait for its end, and exit with its verdict`)
      .argument('<name>', `name or id of the ${kind}`)
      .option('--variable <key=value>', 'variable for the run; KEY alone takes it from the environment', several, [])
      .option('--secret-variable <key=value>', 'the same, stored encrypted and masked in logs', several, [])
      .option('--profile <name>', 'name or id of a profile of variables')
      .option('--idempotency-key <key>', 'the same key is the same run (default: a random one)'),
  );
  does(withProject(run), definition, async () => (await import('../actions/run-target.js')).runTarget(kind));
}

/** Options of a command that starts a run and waits for it. */
export function withFollowing(command: Command): Command {
  return withWaiting(command.option('--no-wait', 'do not wait for the end'));
}

/** Options of a command that waits for a run. */
export function withWaiting(command: Command): Command {
  return command
    .option('--timeout <time>', 'wait no longer than this: 90s, 10m, 2h; the run goes on, and the exit code is 124')
    .option('--reporter <kind>', 'inline, junit or json (default: inline, or by the name of --output-path)')
    .option('--output-path <file>', 'write the report there');
}
