import type { ScheduleView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { findSchedule, schedulePath } from '#src/cli/find/find-schedule.js';
import { oneLine } from '#src/cli/text.js';

/** `runhook schedule pause`, `runhook schedule resume`. */
export function pauseSchedule(verb: 'pause' | 'resume'): Action<object, [string]> {
  return async (cli, _options, nameOrId) => {
    const schedule = await findSchedule(cli, nameOrId);
    // Only this field changes, so concurrent changes are kept.
    const changed = await cli.http().json<ScheduleView>({
      method: 'PATCH',
      path: schedulePath(schedule),
      json: { paused: verb === 'pause' },
      headers: { 'if-match': '*' },
      repeatable: true,
    });
    if (cli.output.asJson) return cli.output.json(changed);
    cli.output.print(`Schedule "${oneLine(changed.name)}" ${verb}d.`);
  };
}
