import type { Command } from 'commander';
import { does, withProject, type Definition } from './define.js';

const WHICH = 'name or id of the schedule';

/** `runhook schedule …`. */
export function scheduleCommands(program: Command, definition: Definition): void {
  const group = program.command('schedule').description('when tests and suites run by themselves');

  const list = group.command('list').alias('ls').description('the schedules of a project');
  does(withProject(list), definition, async () => (await import('../actions/list-schedules.js')).listSchedules);

  const show = group
    .command('show')
    .description('a schedule, its next five times and what came of the last one')
    .argument('<name>', WHICH);
  does(withProject(show), definition, async () => (await import('../actions/show-schedule.js')).showSchedule);

  const create = group
    .command('create')
    .description('make a schedule of a test or a suite')
    .argument('<name>', 'how it is called')
    .requiredOption('--cron <cron>', 'minute, hour, day, month, weekday: "0 6 * * 1-5"; or @hourly, @daily, @weekly …')
    .option('--test <name>', 'name or id of the test that it starts')
    .option('--suite <name>', 'name or id of the suite that it starts')
    .option('--time-zone <zone>', 'what the hours mean: Europe/Stockholm', 'UTC')
    .option('--catch-up <time>', 'after an outage, what is later than this is left out: 1m to 168h', '1h')
    .option('--profile <name>', 'name or id of a profile of variables for its runs')
    .option('--paused', 'it starts nothing until it is resumed');
  does(withProject(create), definition, async () => (await import('../actions/create-schedule.js')).createSchedule);

  for (const verb of ['pause', 'resume'] as const) {
    const about = { pause: 'start nothing for a while', resume: 'go on; what was left out is not made up for' };
    const command = group.command(verb).description(about[verb]).argument('<name>', WHICH);
    does(withProject(command), definition, async () =>
      (await import('../actions/pause-schedule.js')).pauseSchedule(verb),
    );
  }

  const remove = group
    .command('remove')
    .alias('rm')
    .description('end a schedule; the runs that it started stay')
    .argument('<name>', WHICH)
    .option('-y, --yes', 'do not ask');
  does(withProject(remove), definition, async () => (await import('../actions/remove-schedule.js')).removeSchedule);
}
