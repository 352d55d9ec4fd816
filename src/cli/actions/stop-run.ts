import type { RunStatusView } from '#src/cli/api/responses.js';
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
  if (cli.output.asJson) return cli.output.json(answer);
  cli.output.print(`Stopping ${oneLine(run.name)} (status: ${paintStatus(cli.output, answer.status)}).`);
};
