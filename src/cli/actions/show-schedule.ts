import type { Action } from '#src/cli/commands/define.js';
import { findSchedule, namesOfTargets, startedBy } from '#src/cli/find/find-schedule.js';
import { formatMoment, oneLine } from '#src/cli/text.js';

/** `runhook schedule show`. */
export const showSchedule: Action<object, [string]> = async (cli, _options, nameOrId) => {
  const schedule = await findSchedule(cli, nameOrId);
  if (cli.output.asJson) return cli.output.json(schedule);
  const { name, cron, timeZone, paused, nextTimes, problem, lastFired } = schedule;
  const { kind, id } = startedBy(schedule);
  const names = await namesOfTargets(cli, [schedule]);
  const last = lastFired
    ? `${formatMoment(lastFired.at)} ${lastFired.runId ?? `not started: ${lastFired.refusedBecause}`}`
    : 'none yet';
  const lines = [
    `${name}: runs the ${kind} ${names.get(id)}`,
    `When:  ${cron} in ${timeZone}${paused ? ', paused' : ''}`,
    ...(problem ? [`Rejected by Temporal: ${problem}`] : []),
    ...nextTimes.map((time, index) => `${index === 0 ? 'Next: ' : '      '} ${formatMoment(time)}`),
    `Last:  ${last}`,
  ];
  for (const line of lines) cli.output.print(oneLine(line));
};
