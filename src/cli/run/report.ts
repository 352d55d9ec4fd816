import { writeFile } from 'node:fs/promises';
import type { Http } from '../api/http.js';
import { casesIn } from '../../domain/test-case.js';
import type { CaseView, RunView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { printReport } from '../reports/inline.js';
import { junitReport, type ReportedTest } from '../reports/junit.js';
import type { ReportTarget } from '../reports/report-file.js';
import { count, oneLine } from '../text.js';
import { casesOf } from './cases.js';
import { endOfLog } from './log.js';
import { testRunsOf } from './test-runs.js';

const LOG_LINES = 50;
/** Logs are read for so many tests at most, so many at a time. */
const LOGS = 200;
/** Cases in a report at most: those of further tests are left out, and the tests stand for them. */
const CASES = 100_000;
const AT_A_TIME = 4;
/** How long a server may be silent while the details are read: the verdict is known already. */
const PATIENCE_MS = 60_000;

/** Tells how a run ended, in the form that was asked for. */
export async function report(cli: Cli, run: RunView, { reporter, file }: ReportTarget): Promise<void> {
  const { voice } = cli;
  const http = cli.http();
  const testRuns = run.kind === 'suite' ? await testRunsOf(http, run, { patienceMs: PATIENCE_MS }) : [run];
  const document =
    reporter === 'json' ? `${JSON.stringify(run.kind === 'suite' ? { ...run, testRuns } : run, null, 2)}\n` : undefined;
  if (document !== undefined && !file) return voice.write(document);
  const tests = await withLogs(http, testRuns);
  const content = document ?? junitReport(run, await withCases(cli, tests));
  if (reporter !== 'inline') {
    if (!file) return voice.write(content);
    await writeFile(file, content);
    voice.note(`The report is in ${file}`);
  }
  printReport(voice, run, tests);
}

async function withLogs(http: Http, runs: RunView[]): Promise<ReportedTest[]> {
  const tests: ReportedTest[] = runs.map((run) => ({ run, log: [] }));
  const wanted = tests
    .filter(({ run }) => ['failed', 'error', 'stopped'].includes(run.status) && run.started)
    .slice(0, LOGS);
  const readSome = async () => {
    for (let test = wanted.shift(); test; test = wanted.shift())
      test.log = await endOfLog(http, test.run.id, LOG_LINES, PATIENCE_MS);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readSome));
  return tests;
}

/** The cases of those that have some; a test whose cases cannot be read stands for them. */
async function withCases({ voice, http }: Cli, tests: ReportedTest[]): Promise<ReportedTest[]> {
  let room = CASES;
  let left = 0;
  const all: ReportedTest[] = [];
  for (const test of tests) {
    const known = test.run.cases ? casesIn(test.run.cases) : 0;
    const cases = known === 0 || known > room ? undefined : await casesOrWhy(http(), test.run.id);
    if (typeof cases === 'string') voice.note(`The cases of ${oneLine(test.run.name)} could not be read: ${cases}`);
    if (known > room) left++;
    else room -= known;
    all.push(typeof cases === 'object' ? { ...test, cases } : test);
  }
  if (left > 0) voice.note(`The report has no cases of ${count(left, 'test')}: there are more than ${CASES} in all.`);
  return all;
}

function casesOrWhy(http: Http, runId: string): Promise<CaseView[] | string> {
  return casesOf(http, runId, PATIENCE_MS).catch((error: Error) => error.message);
}
