import { writeFile } from 'node:fs/promises';
import pMap from 'p-map';
import type { Http } from '#src/cli/api/http.js';
import { casesIn } from '#src/domain/runs/test-case.js';
import type { CaseView, RunView, TestRunView } from '#src/cli/api/answers.js';
import type { Cli } from '#src/cli/cli.js';
import { printReport } from '#src/cli/reports/inline.js';
import { junitReport, type ReportedTest } from '#src/cli/reports/junit.js';
import type { ReportTarget } from '#src/cli/reports/report-file.js';
import { count, oneLine } from '#src/cli/text.js';
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

/** Reports how a run ended, in the requested format. */
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
    voice.note(`Report written to ${file}`);
  }
  printReport(voice, run, tests);
}

async function withLogs(http: Http, runs: TestRunView[]): Promise<ReportedTest[]> {
  const tests: ReportedTest[] = runs.map((run) => ({ run, log: [] }));
  const wanted = tests
    .filter(({ run }) => ['failed', 'error', 'stopped'].includes(run.status) && run.started)
    .slice(0, LOGS);
  const readLog = async (test: ReportedTest) => {
    test.log = await endOfLog(http, test.run.id, LOG_LINES, PATIENCE_MS);
  };
  await pMap(wanted, readLog, { concurrency: AT_A_TIME });
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
    if (typeof cases === 'string') voice.note(`Could not read the cases of ${oneLine(test.run.name)}: ${cases}`);
    if (known > room) left++;
    else room -= known;
    all.push(typeof cases === 'object' ? { ...test, cases } : test);
  }
  if (left > 0)
    voice.note(`The report leaves out the cases of ${count(left, 'test')}: it is limited to ${CASES} cases.`);
  return all;
}

function casesOrWhy(http: Http, runId: string): Promise<CaseView[] | string> {
  return casesOf(http, runId, PATIENCE_MS).catch((error: Error) => error.message);
}
