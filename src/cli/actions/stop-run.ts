import type { RunStatusView } from '#src/cli/api/answers.js';
import type { Action } from '#src/cli/commands/define.js';
import { findRun, runPath } from '#src/cli/find/find-run.js';
import { paintStatus } from '#src/cli/run/status.js';
import { oneLine } from '#src/cli/text.js';

/** `runhook run stop`. */
export const stopRun: Action<object, [string]> = async (cli, _options, id) => {
  const run = await findRun(cli, id);
  // Stopping is idempotent.
  const path = `${runPath(run)}stop/`;
  const answer = await cli.http().json<RunStatusView>({ method: 'POST', path, json: {}, repeatable: true });
  if (cli.voice.asJson) return cli.voice.json(answer);
  cli.voice.print(`Stopping ${oneLine(run.name)} (status: ${paintStatus(cli.voice, answer.status)}).`);
};
