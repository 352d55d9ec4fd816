import type { RunView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { findRun, runPath } from '../find/run.js';
import { paintStatus } from '../run/status.js';
import { oneLine } from '../text.js';

/** `runhook run stop`. */
export const stopRun: Action<object, [string]> = async (cli, _options, id) => {
  const run = await findRun(cli, id);
  // Stopping what is stopped changes nothing.
  const path = `${runPath(run)}stop/`;
  const answer = await cli.http().json<RunView>({ method: 'POST', path, json: {}, repeatable: true });
  if (cli.voice.asJson) return cli.voice.json(answer);
  cli.voice.print(`${oneLine(run.name)} is told to stop; it is ${paintStatus(cli.voice, answer.status)}.`);
};
