import type { Command } from 'commander';
import { withAction, withProject, type Definition } from './define.js';

const WHICH = 'schedule name or ID';

/** `runhook schedule …`. */
export function scheduleCommands(program: Command, definition: Definition): void {
  const group = program.command('schedule').description('manage schedules of tests and suites');

  const list = group.command('list').alias('ls').description('list the schedules of a project');
  withAction(
    withProject(list),
    definition,
    async () => (await import('#src/cli/actions/list-schedules.js')).listSchedules,
  );

  const show = group
    .command('show')
    .description('show a schedule, its next five times and its last result')
    .argument('<name>', WHICH);
  withAction(
    withProject(show),
    definition,
    async () => (await import('#src/cli/actions/show-schedule.js')).showSchedule,
  );

  const create = group
    .command('create')
    .description('create a schedule for a test or suite')
    .argument('<name>', 'name of the schedule')
    .requiredOption(
      '--cron <cron>',
      'cron expression, such as "0 6 * * 1-5", or @hourly, @daily, @weekly, @monthly, @yearly',
    )
    .option('--test <name>', 'name or ID of the test to run')
    .option('--suite <name>', 'name or ID of the suite to run')
    .option('--time-zone <zone>', 'IANA time zone of the cron expression, such as Europe/Stockholm', 'UTC')
    .option(
      '--catch-up <time>',
      'catch-up window: how late a missed run may still start after an outage, 1m to 168h',
      '1h',
    )
    .option('--profile <name>', 'name or ID of a variable set for its runs')
    .option('--paused', 'create it paused');
  withAction(
    withProject(create),
    definition,
    async () => (await import('#src/cli/actions/create-schedule.js')).createSchedule,
  );

  for (const verb of ['pause', 'resume'] as const) {
    const about = { pause: 'pause a schedule', resume: 'resume a schedule; missed runs are not started' };
    const command = group.command(verb).description(about[verb]).argument('<name>', WHICH);
    withAction(withProject(command), definition, async () =>
      (await import('#src/cli/actions/pause-schedule.js')).pauseSchedule(verb),
    );
  }

  const remove = group
    .command('remove')
    .alias('rm')
    .description('delete a schedule; its runs are kept')
    .argument('<name>', WHICH)
    .option('-y, --yes', 'skip the confirmation');
  withAction(
    withProject(remove),
    definition,
    async () => (await import('#src/cli/actions/remove-schedule.js')).removeSchedule,
  );
}
