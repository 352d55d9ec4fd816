import type { Action } from '../commands/define.js';
import { UsageError } from '../cli-error.js';
import { findRun } from '../find/run.js';
import { parseCount } from '../option-values.js';
import { logOf } from '../run/log.js';
import { SILENCE_MS } from '../run/wait.js';
import { terminalLine } from '../text.js';

const MOST_ATTEMPTS = 1000;

/** `runhook run logs`. */
export const showLogs: Action<{ follow?: boolean; attempt?: string }, [string]> = async (cli, options, id) => {
  const { voice, io } = cli;
  const attempt = options.attempt && parseCount(options.attempt, '--attempt', MOST_ATTEMPTS);
  const run = await findRun(cli, id);
  if (run.kind === 'suite')
    throw new UsageError(`This is a suite run; logs are of its test runs. Their ids: runhook run show ${run.id}`);
  const patienceMs = options.follow ? SILENCE_MS : undefined;
  for await (const line of logOf(cli.http(), run.id, { follow: options.follow, patienceMs })) {
    if (attempt && line.attempt !== attempt) continue;
    if (voice.asJson) voice.write(`${JSON.stringify(line)}\n`);
    // As the test wrote it, for a file or a pipe; a terminal gets nothing that would steer it.
    else voice.print(io.stdout.isTTY ? terminalLine(line.text) : line.text.replace(/[\r\n]+$/, ''));
  }
};
