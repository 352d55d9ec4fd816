import type { ScheduleView } from '#src/cli/api/answers.js';
import type { Action } from '#src/cli/commands/define.js';
import { findSchedule, schedulePath } from '#src/cli/find/find-schedule.js';
import { oneLine } from '#src/cli/text.js';

/** `runhook schedule pause`, `runhook schedule resume`. */
export function pauseSchedule(verb: 'pause' | 'resume'): Action<object, [string]> {
  return async (cli, _options, wanted) => {
    const schedule = await findSchedule(cli, wanted);
    // Only this field changes, so concurrent changes are kept.
    const changed = await cli.http().json<ScheduleView>({
      method: 'PATCH',
      path: schedulePath(schedule),
      json: { paused: verb === 'pause' },
      headers: { 'if-match': '*' },
      repeatable: true,
    });
    if (cli.voice.asJson) return cli.voice.json(changed);
    cli.voice.print(`Schedule "${oneLine(changed.name)}" ${verb}d.`);
  };
}
