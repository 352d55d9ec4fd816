import type { RunView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { findRun } from '#src/cli/find/find-run.js';
import { casesText } from '#src/cli/run/test-run-cases.js';
import { paintStatus } from '#src/cli/run/status.js';
import { testRunsOf } from '#src/cli/run/test-runs.js';
import { formatMoment, formatSeconds, oneLine, table } from '#src/cli/text.js';

const READ_MS = 5000;

/** `runhook run show`. */
export const showRun: Action<object, [string]> = async (cli, _options, id) => {
  const { output } = cli;
  const run = await findRun(cli, id);
  const testRuns = run.kind === 'suite' ? await testRunsOf(cli.http(), run, { patienceMs: READ_MS }) : [];
  if (output.asJson) return output.json(run.kind === 'suite' ? { ...run, testRuns } : run);
  const facts: [string, string][] = [
    ['Run', run.id],
    [run.kind === 'test' ? 'Test' : 'Suite', run.name],
    ['Status', run.status],
    ['Reason', [run.errorCode, run.errorMessage ?? run.reason].filter(Boolean).join(': ')],
    ['Queued', formatMoment(run.queued)],
    ['Started', formatMoment(run.started)],
    ['Ended', formatMoment(run.ended)],
    ['Duration', run.duration === null ? '' : formatSeconds(run.duration)],
    ['Attempt', run.kind === 'test' && run.attempt > 1 ? String(run.attempt) : ''],
    ['Cases', run.kind === 'test' ? casesText(run) : ''],
    ['Variables', run.profileName ?? ''],
    ['Trigger', triggerOf(run)],
    ['Suite run', (run.kind === 'test' && run.suiteRunId) || ''],
    ['URL', run.webappUrl],
  ];
  for (const [name, value] of facts)
    if (value)
      output.print(`${name.padEnd(11)}${name === 'Status' ? paintStatus(output, run.status) : oneLine(value)}`);
  if (testRuns.length === 0) return;
  output.print('');
  output.write(
    table(
      ['ID', 'STATUS', 'TOOK', 'TEST'],
      testRuns.map((test) => [
        test.id,
        test.status,
        test.duration === null ? '' : formatSeconds(test.duration),
        test.name,
      ]),
    ),
  );
};

function triggerOf({ triggeredBy }: RunView): string {
  return [triggeredBy.type, triggeredBy.name && `(${triggeredBy.name})`].filter(Boolean).join(' ');
}
