import type { Command } from 'commander';
import { does, several, withProject, withServer, type Definition } from './define.js';
import { withFollowing, withWaiting } from './targets.js';

/** `runhook run …`. */
export function runCommands(program: Command, definition: Definition): void {
  const group = program.command('run').description('list, watch, stop and repeat runs');

  const list = group
    .command('list')
    .alias('ls')
    .description('the runs of a project, newest first')
    .option('--status <status>', 'only with this status (several times)', several, [])
    .option('--kind <kind>', 'test or suite')
    .option('--test <name>', 'only of this test')
    .option('--suite <name>', 'only of this suite')
    .option('--trigger <type>', 'webhook, api, cli, web or schedule')
    .option('--since <when>', 'from then on: 2h (ago), 2026-08-02, 2026-08-02T10:00:00Z')
    .option('--until <when>', 'up to then')
    .option('-n, --limit <number>', 'how many', '20');
  does(withProject(list), definition, async () => (await import('../actions/list-runs.js')).listRuns);

  const show = group.command('show').description('all about a run').argument('<id>', 'id of the run');
  does(withServer(show), definition, async () => (await import('../actions/show-run.js')).showRun);

  const watch = group
    .command('watch')
    .description('wait for the end of a run, and exit with its verdict')
    .argument('<id>', 'id of the run');
  does(withServer(withWaiting(watch)), definition, async () => (await import('../actions/watch-run.js')).watchRun);

  const stop = group.command('stop').description('stop a run').argument('<id>', 'id of the run');
  does(withServer(stop), definition, async () => (await import('../actions/stop-run.js')).stopRun);

  const logs = group
    .command('logs')
    .description('the log of a test run; --json: an object a line')
    .argument('<id>', 'id of the test run')
    .option('-f, --follow', 'go on until the run is over')
    .option('--attempt <number>', 'only of this attempt');
  does(withServer(logs), definition, async () => (await import('../actions/show-logs.js')).showLogs);

  const artifacts = group
    .command('artifacts')
    .description('the files that a test run has left: a list, or the files themselves')
    .argument('<id>', 'id of the test run')
    .option('-o, --output <folder>', 'save them there; those of the same names are replaced')
    .option('--attempt <number>', 'of this attempt (default: the last that has any)');
  does(withServer(artifacts), definition, async () => (await import('../actions/artifacts.js')).artifacts);

  const rerun = group
    .command('rerun')
    .description('start the same again as a new run, and wait for it')
    .argument('<id>', 'id of the run')
    .option('--failed', 'of a suite: only the tests that did not pass')
    .option('--idempotency-key <key>', 'the same key is the same run (default: a random one)');
  does(withServer(withFollowing(rerun)), definition, async () => (await import('../actions/rerun.js')).rerun);
}
