import type { RunView, SuiteRunView } from '#src/cli/api/responses.js';
import { casesText } from '#src/cli/run/test-run-cases.js';
import { paintStatus } from '#src/cli/run/status.js';
import { count, formatSeconds, oneLine, terminalLine } from '#src/cli/text.js';
import type { Output } from '#src/cli/output.js';
import type { ReportedTest } from './junit.js';

/** Number of tests of a suite that are listed individually. */
const MAX_LISTED = 50;
/** Number of tests that are listed with the end of their log. */
const MAX_WITH_LOG = 5;

/** Prints the verdict, the tests that did not pass, and the end of their logs. */
export function printReport(output: Output, run: RunView, tests: ReportedTest[]): void {
  const notPassed = tests.filter(({ run: test }) => test.status !== 'passed');
  for (const { log, run: test } of notPassed.filter(({ log }) => log.length > 0).slice(0, MAX_WITH_LOG)) {
    output.print(output.paint('dim', `── last log lines of ${oneLine(test.name)}`));
    for (const line of log) output.print(terminalLine(line));
    output.print(output.paint('dim', '──'));
  }
  if (run.kind === 'suite')
    for (const { run: test } of notPassed.slice(0, MAX_LISTED)) output.print(`  ${verdictOf(output, test)}`);
  if (run.kind === 'suite' && notPassed.length > MAX_LISTED)
    output.print(`  and ${notPassed.length - MAX_LISTED} more: see ${run.webappUrl}`);
  output.print(verdictOf(output, run));
}

function verdictOf(output: Output, run: RunView): string {
  const counts = run.kind === 'suite' ? countsOf(run) : casesText(run);
  const took = run.duration === null ? '' : ` in ${formatSeconds(run.duration)}`;
  const why = [run.errorCode, run.errorMessage ?? run.reason].filter(Boolean).map((part) => oneLine(String(part)));
  const because = why.length > 0 && run.status !== 'passed' ? `: ${why.join(': ')}` : '';
  return `${paintStatus(output, run.status)}  ${oneLine(run.name)}${took}${counts && ` (${counts})`}${because}`;
}

function countsOf({ counts }: SuiteRunView): string {
  const some = Object.entries(counts).filter(([, number]) => number > 0);
  return some.length > 0 ? some.map(([status, number]) => `${number} ${status}`).join(', ') : count(0, 'test');
}
