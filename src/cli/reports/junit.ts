import type { CaseView, RunView, TestRunView } from '#src/cli/api/responses.js';
import { open, text } from './xml.js';

/** A test run, with the end of its log if it did not pass. */
export interface ReportedTest {
  run: TestRunView;
  log: string[];
  /** The cases of its results, if any. */
  cases?: CaseView[];
}

type Problem = 'failure' | 'error' | 'skipped';

/** A `testcase`. */
interface Case {
  xml: string;
  /** undefined: passed. */
  problem?: Problem | undefined;
}

/**
 * A run as JUnit XML: one `testsuite` with a `testcase` per test run. A test run with cases of its own becomes a
 * `testsuite`. A stopped test is an error, so that no reader shows it as passed.
 */
export function junitReport(run: RunView, tests: ReportedTest[]): string {
  const suites = tests.flatMap(({ cases, ...test }) => (cases ? [{ ...test, cases: casesOfTest(test, cases) }] : []));
  const plain = tests.filter(({ cases }) => !cases).map(({ run: test, log }) => caseOfRun(run, test, log));
  // A suite run may fail without a failed test: timed out, stopped, or not begun.
  if (run.status !== 'passed' && ![...plain, ...suites.flatMap(({ cases }) => cases)].some(isBad))
    plain.push(caseOfRun(run, { ...run, status: run.status === 'skipped' ? 'error' : run.status }, []));
  const isMixed = plain.length > 0 || suites.length === 0;
  const all = [...plain, ...suites.flatMap(({ cases }) => cases)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', { name: 'Runhook', ...countsOf(all), time: run.duration ?? 0 }),
    ...(isMixed ? [suiteElement(run, plain, [])] : []),
    ...suites.map(({ run: test, cases, log }) => suiteElement(test, cases, log)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteElement(run: RunView, cases: readonly Case[], log: readonly string[]): string {
  const times = { time: run.duration ?? 0, timestamp: run.started ?? run.queued };
  return [
    open('testsuite', { name: run.name, ...countsOf(cases), ...times, id: run.id }),
    '<properties>',
    ...Object.entries({ runId: run.id, status: run.status, url: run.webappUrl }).map(([name, value]) =>
      open('property', { name, value }, true),
    ),
    '</properties>',
    ...cases.map(({ xml }) => xml),
    ...(log.length > 0 ? [`<system-out>${log.map(text).join('\n')}</system-out>`] : []),
    '</testsuite>',
  ].join('\n');
}

const isBad = ({ problem }: Case) => problem === 'failure' || problem === 'error';

function countsOf(cases: readonly Case[]) {
  const many = (one: Problem) => cases.filter(({ problem }) => problem === one).length;
  return { tests: cases.length, failures: many('failure'), errors: many('error'), skipped: many('skipped') };
}

/** A test may fail although all of its cases passed: then its verdict is added as a case. */
function casesOfTest({ run, log }: Omit<ReportedTest, 'cases'>, found: readonly CaseView[]): Case[] {
  const cases = found.map((one) => caseOfResults(run, one));
  return run.status === 'passed' || cases.some(isBad) ? cases : [...cases, caseOfRun(run, run, log)];
}

function caseOfRun(suite: RunView, test: RunView, log: readonly string[]): Case {
  const { problem, message } = outcomeOf(test);
  const attributes = { name: test.name, classname: suite.name, time: test.duration ?? 0 };
  const body = [test.webappUrl ?? '', ...log].filter(Boolean).map(text).join('\n');
  return caseElement(attributes, problem, { message, type: test.errorCode ?? test.status, body });
}

const PROBLEMS: Record<CaseView['status'], Problem | undefined> = {
  passed: undefined,
  failed: 'failure',
  error: 'error',
  skipped: 'skipped',
};

function caseOfResults(run: RunView, { group, name, status, duration, message, details, output }: CaseView): Case {
  const attributes = { name, classname: group || run.name, time: duration ?? 0 };
  const body = [run.webappUrl, details ?? ''].filter(Boolean).map(text).join('\n');
  return caseElement(attributes, PROBLEMS[status], { message: message ?? status, type: status, body }, output ?? '');
}

function caseElement(
  attributes: Record<string, string | number>,
  problem: Problem | undefined,
  { message, type, body }: Record<'message' | 'type' | 'body', string>,
  output = '',
): Case {
  const why = problem
    ? `${open(problem, { message, ...(problem === 'skipped' ? {} : { type }) })}${body}</${problem}>`
    : '';
  const content = `${why}${output ? `<system-out>${text(output)}</system-out>` : ''}`;
  const xml = content ? `${open('testcase', attributes)}${content}</testcase>` : open('testcase', attributes, true);
  return { xml, problem };
}

function outcomeOf({ status, errorMessage, errorCode, reason }: RunView): { problem?: Problem; message: string } {
  const message = [status, errorCode, errorMessage ?? reason].filter(Boolean).join(': ');
  if (status === 'passed') return { message };
  return { problem: status === 'failed' ? 'failure' : status === 'skipped' ? 'skipped' : 'error', message };
}
