import { confirm } from '#src/cli/ask.js';
import { CliError } from '#src/cli/cli-error.js';
import type { Action } from '#src/cli/commands/define.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { findSchedule, schedulePath } from '#src/cli/find/find-schedule.js';
import { oneLine } from '#src/cli/text.js';

/** `runhook schedule remove`: asks for confirmation on a terminal only. */
export const removeSchedule: Action<{ yes?: boolean }, [string]> = async (cli, { yes }, nameOrId) => {
  const schedule = await findSchedule(cli, nameOrId);
  const question = `Delete the schedule "${oneLine(schedule.name)}"?`;
  if (!yes && cli.io.stdin.isTTY && !(await confirm(cli.io, question)))
    throw new CliError('Canceled: the schedule was not deleted.', EXIT.usage);
  await cli.http().send({
    method: 'DELETE',
    path: schedulePath(schedule),
    headers: { 'if-match': '*' },
    repeatable: true,
  });
  if (cli.output.asJson) cli.output.json({ id: schedule.id, removed: true });
  else cli.output.note('Schedule deleted.');
};
