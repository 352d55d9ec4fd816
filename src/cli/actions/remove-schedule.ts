import { confirm } from '../ask.js';
import { CliError } from '../cli-error.js';
import type { Action } from '../commands/define.js';
import { EXIT } from '../exit-codes.js';
import { findSchedule, schedulePath } from '../find/schedule.js';
import { oneLine } from '../text.js';

/** `runhook schedule remove`: a script means it, a person may have mistyped. */
export const removeSchedule: Action<{ yes?: boolean }, [string]> = async (cli, { yes }, wanted) => {
  const schedule = await findSchedule(cli, wanted);
  const question = `Remove the schedule "${oneLine(schedule.name)}"?`;
  if (!yes && cli.io.stdin.isTTY && !(await confirm(cli.io, question)))
    throw new CliError('Nothing was removed.', EXIT.usage);
  await cli.http().send({
    method: 'DELETE',
    path: schedulePath(schedule),
    headers: { 'if-match': '*' },
    repeatable: true,
  });
  if (cli.voice.asJson) cli.voice.json({ id: schedule.id, removed: true });
  else cli.voice.note('It is removed.');
};
