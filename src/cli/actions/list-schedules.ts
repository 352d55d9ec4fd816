import { allItems } from '#src/cli/api/pages.js';
import type { ScheduleView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { findProject } from '#src/cli/find/find-project.js';
import { namesOfTargets, startedBy } from '#src/cli/find/find-schedule.js';
import { formatMoment, table } from '#src/cli/text.js';

/** `runhook schedule list`. */
export const listSchedules: Action<object> = async (cli) => {
  const project = await findProject(cli);
  const schedules = await allItems<ScheduleView>(cli.http(), { path: `/projects/${project.id}/schedules/` });
  if (cli.output.asJson) return cli.output.json(schedules);
  if (schedules.length === 0) return cli.output.note(`The project "${project.name}" has no schedules.`);
  const names = await namesOfTargets(cli, schedules);
  const rows = schedules.map((schedule) => {
    const { kind, id } = startedBy(schedule);
    const next = schedule.paused ? 'paused' : formatMoment(schedule.nextTimes[0]);
    return [schedule.name, next, schedule.cron, schedule.timeZone, `${kind} ${names.get(id)}`];
  });
  cli.output.write(table(['NAME', 'NEXT', 'CRON', 'TIME ZONE', 'STARTS'], rows));
};
