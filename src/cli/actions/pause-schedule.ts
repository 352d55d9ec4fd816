import type { ScheduleView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { findSchedule, schedulePath } from '../find/schedule.js';
import { oneLine } from '../text.js';

/** `runhook schedule pause`, `runhook schedule resume`. */
export function pauseSchedule(verb: 'pause' | 'resume'): Action<object, [string]> {
  return async (cli, _options, wanted) => {
    const schedule = await findSchedule(cli, wanted);
    // Whatever else somebody changes meanwhile stays; what is paused is paused.
    const changed = await cli.http().json<ScheduleView>({
      method: 'PATCH',
      path: schedulePath(schedule),
      json: { paused: verb === 'pause' },
      headers: { 'if-match': '*' },
      repeatable: true,
    });
    if (cli.voice.asJson) return cli.voice.json(changed);
    cli.voice.print(`"${oneLine(changed.name)}" is ${verb}d.`);
  };
}
