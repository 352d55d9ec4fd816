import type { RunView, SuiteRunView } from '#src/cli/api/answers.js';
import { casesText } from '#src/cli/run/cases.js';
import { paintStatus } from '#src/cli/run/status.js';
import { count, formatSeconds, oneLine, terminalLine } from '#src/cli/text.js';
import type { Voice } from '#src/cli/output-style.js';
import type { ReportedTest } from './junit.js';

/** How many tests of a suite are told of one by one. */
const TOLD = 50;
/** How many of them with their logs. */
const WITH_LOG = 5;

/** What a person wants to know at the end: the verdict, what did not pass, and the end of its log. */
export function printReport(voice: Voice, run: RunView, tests: ReportedTest[]): void {
  const bad = tests.filter(({ run: test }) => test.status !== 'passed');
  for (const { log, run: test } of bad.filter(({ log }) => log.length > 0).slice(0, WITH_LOG)) {
    voice.print(voice.paint('dim', `── last log lines of ${oneLine(test.name)}`));
    for (const line of log) voice.print(terminalLine(line));
    voice.print(voice.paint('dim', '──'));
  }
  if (run.kind === 'suite') for (const { run: test } of bad.slice(0, TOLD)) voice.print(`  ${verdictOf(voice, test)}`);
  if (run.kind === 'suite' && bad.length > TOLD) voice.print(`  and ${bad.length - TOLD} more: see ${run.webappUrl}`);
  voice.print(verdictOf(voice, run));
}

function verdictOf(voice: Voice, run: RunView): string {
  const counts = run.kind === 'suite' ? countsOf(run) : casesText(run);
  const took = run.duration === null ? '' : ` in ${formatSeconds(run.duration)}`;
  const why = [run.errorCode, run.errorMessage ?? run.reason].filter(Boolean).map((part) => oneLine(String(part)));
  const because = why.length > 0 && run.status !== 'passed' ? `: ${why.join(': ')}` : '';
  return `${paintStatus(voice, run.status)}  ${oneLine(run.name)}${took}${counts && ` (${counts})`}${because}`;
}

function countsOf({ counts }: SuiteRunView): string {
  const some = Object.entries(counts).filter(([, number]) => number > 0);
  return some.length > 0 ? some.map(([status, number]) => `${number} ${status}`).join(', ') : count(0, 'test');
}
