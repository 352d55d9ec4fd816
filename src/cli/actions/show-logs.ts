import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { findRun } from '#src/cli/find/find-run.js';
import { parseCount } from '#src/cli/option-values.js';
import { logOf } from '#src/cli/run/log.js';
import { SILENCE_MS } from '#src/cli/run/wait.js';
import { terminalLine } from '#src/cli/text.js';

const MAX_ATTEMPTS = 1000;

/** `runhook run logs`. */
export const showLogs: Action<{ follow?: boolean; attempt?: string }, [string]> = async (cli, options, id) => {
  const { output, io } = cli;
  const attempt = options.attempt && parseCount(options.attempt, '--attempt', MAX_ATTEMPTS);
  const run = await findRun(cli, id);
  if (run.kind === 'suite')
    throw new UsageError(
      `This is a suite run. Logs belong to its test runs: run \`runhook run show ${run.id}\` for their IDs.`,
    );
  const patienceMs = options.follow ? SILENCE_MS : undefined;
  for await (const line of logOf(cli.http(), run.id, { follow: options.follow, patienceMs })) {
    if (attempt && line.attempt !== attempt) continue;
    if (output.asJson) output.write(`${JSON.stringify(line)}\n`);
    // Unchanged for a file or pipe; without control sequences for a terminal.
    else output.print(io.stdout.isTTY ? terminalLine(line.text) : line.text.replace(/[\r\n]+$/, ''));
  }
};
