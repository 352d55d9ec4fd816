import { allItems } from '../api/pages.js';
import type { ScheduleView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { findProject } from '../find/project.js';
import { namesOfTargets, startedBy } from '../find/schedule.js';
import { formatMoment, table } from '../text.js';

/** `runhook schedule list`. */
export const listSchedules: Action<object> = async (cli) => {
  const project = await findProject(cli);
  const schedules = await allItems<ScheduleView>(cli.http(), { path: `/projects/${project.id}/schedules/` });
  if (cli.voice.asJson) return cli.voice.json(schedules);
  if (schedules.length === 0) return cli.voice.note(`The project "${project.name}" has no schedules.`);
  const names = await namesOfTargets(cli, schedules);
  const rows = schedules.map((schedule) => {
    const { kind, id } = startedBy(schedule);
    const next = schedule.paused ? 'paused' : formatMoment(schedule.nextTimes[0]);
    return [schedule.name, next, schedule.cron, schedule.timeZone, `${kind} ${names.get(id)}`];
  });
  cli.voice.write(table(['NAME', 'NEXT', 'CRON', 'TIME ZONE', 'STARTS'], rows));
};
