import type { Command } from 'commander';
import { withAction, collect, withProject, withServer, type Definition } from './define.js';
import { withFollowing, withWaiting } from './target-commands.js';

/** `runhook run …`. */
export function runCommands(program: Command, definition: Definition): void {
  const group = program.command('run').description('list, watch, stop and rerun runs');

  const list = group
    .command('list')
    .alias('ls')
    .description('list the runs of a project, newest first')
    .option('--status <status>', 'only runs with this status (repeatable)', collect, [])
    .option('--kind <kind>', 'only test runs or suite runs: test, suite')
    .option('--test <name>', 'only runs of this test')
    .option('--suite <name>', 'only runs of this suite')
    .option('--trigger <type>', 'only runs with this trigger: webhook, api, cli, web, schedule')
    .option('--since <when>', 'only runs queued since then: 2h (ago), 2026-08-02, 2026-08-02T10:00:00Z')
    .option('--until <when>', 'only runs queued until then')
    .option('-n, --limit <number>', 'maximum number of runs', '20');
  withAction(withProject(list), definition, async () => (await import('#src/cli/actions/list-runs.js')).listRuns);

  const show = group.command('show').description('show the details of a run').argument('<id>', 'run ID');
  withAction(withServer(show), definition, async () => (await import('#src/cli/actions/show-run.js')).showRun);

  const watch = group
    .command('watch')
    .description('wait for a run to end, and exit with its verdict')
    .argument('<id>', 'run ID');
  withAction(
    withServer(withWaiting(watch)),
    definition,
    async () => (await import('#src/cli/actions/watch-run.js')).watchRun,
  );

  const stop = group.command('stop').description('stop a run').argument('<id>', 'run ID');
  withAction(withServer(stop), definition, async () => (await import('#src/cli/actions/stop-run.js')).stopRun);

  const logs = group
    .command('logs')
    .description('show the log of a test run (with --json, one object per line)')
    .argument('<id>', 'test run ID')
    .option('-f, --follow', 'follow the log until the run ends')
    .option('--attempt <number>', 'only this attempt');
  withAction(withServer(logs), definition, async () => (await import('#src/cli/actions/show-logs.js')).showLogs);

  const artifacts = group
    .command('artifacts')
    .description('list or download the artifacts of a test run')
    .argument('<id>', 'test run ID')
    .option('-o, --output <folder>', 'download to this folder, replacing existing files')
    .option('--attempt <number>', 'artifacts of this attempt (default: the last attempt with artifacts)');
  withAction(withServer(artifacts), definition, async () => (await import('#src/cli/actions/artifacts.js')).artifacts);

  const rerun = group
    .command('rerun')
    .description('start a new run of the same test or suite, and wait for it')
    .argument('<id>', 'run ID')
    .option('--failed', 'only the tests that did not pass (for suite runs)')
    .option(
      '--idempotency-key <key>',
      'repeating a command with the same key does not start another run (default: random)',
    );
  withAction(
    withServer(withFollowing(rerun)),
    definition,
    async () => (await import('#src/cli/actions/rerun.js')).rerun,
  );
}
