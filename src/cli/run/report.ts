import { writeFile } from 'node:fs/promises';
import pMap from 'p-map';
import type { Http } from '#src/cli/api/http.js';
import { casesIn } from '#src/domain/runs/test-case.js';
import type { CaseView, RunView, TestRunView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { printReport } from '#src/cli/reports/inline.js';
import { junitReport, type ReportedTest } from '#src/cli/reports/junit.js';
import type { ReportTarget } from '#src/cli/reports/report-file.js';
import { count, oneLine } from '#src/cli/text.js';
import { casesOf } from './test-run-cases.js';
import { endOfLog } from './log.js';
import { testRunsOf } from './test-runs.js';

const LOG_LINES = 50;
/** Most tests whose logs are read, and the concurrency. */
const MAX_LOGS = 200;
/** Most cases in a report; further tests are reported without their cases. */
const MAX_CASES = 100_000;
const CONCURRENCY = 4;
/** How long to retry reading details; shorter than the wait, because the verdict is already known. */
const PATIENCE_MS = 60_000;

/** Reports the result of a run in the requested format. */
export async function report(cli: Cli, run: RunView, { reporter, file }: ReportTarget): Promise<void> {
  const { output } = cli;
  const http = cli.http();
  const testRuns = run.kind === 'suite' ? await testRunsOf(http, run, { patienceMs: PATIENCE_MS }) : [run];
  const document =
    reporter === 'json' ? `${JSON.stringify(run.kind === 'suite' ? { ...run, testRuns } : run, null, 2)}\n` : undefined;
  if (document !== undefined && !file) return output.write(document);
  const tests = await withLogs(http, testRuns);
  const content = document ?? junitReport(run, await withCases(cli, tests));
  if (reporter !== 'inline') {
    if (!file) return output.write(content);
    await writeFile(file, content);
    output.note(`Report written to ${file}`);
  }
  printReport(output, run, tests);
}

async function withLogs(http: Http, runs: TestRunView[]): Promise<ReportedTest[]> {
  const tests: ReportedTest[] = runs.map((run) => ({ run, log: [] }));
  const withLog = tests
    .filter(({ run }) => ['failed', 'error', 'stopped'].includes(run.status) && run.started)
    .slice(0, MAX_LOGS);
  const readLog = async (test: ReportedTest) => {
    test.log = await endOfLog(http, test.run.id, LOG_LINES, PATIENCE_MS);
  };
  await pMap(withLog, readLog, { concurrency: CONCURRENCY });
  return tests;
}

/** Adds the cases of tests. A test whose cases cannot be read is reported without them. */
async function withCases({ output, http }: Cli, tests: ReportedTest[]): Promise<ReportedTest[]> {
  let room = MAX_CASES;
  let omitted = 0;
  const all: ReportedTest[] = [];
  for (const test of tests) {
    const known = test.run.cases ? casesIn(test.run.cases) : 0;
    const cases = known === 0 || known > room ? undefined : await casesOrWhy(http(), test.run.id);
    if (typeof cases === 'string') output.note(`Could not read the cases of ${oneLine(test.run.name)}: ${cases}`);
    if (known > room) omitted++;
    else room -= known;
    all.push(typeof cases === 'object' ? { ...test, cases } : test);
  }
  if (omitted > 0)
    output.note(`The report leaves out the cases of ${count(omitted, 'test')}: it is limited to ${MAX_CASES} cases.`);
  return all;
}

function casesOrWhy(http: Http, runId: string): Promise<CaseView[] | string> {
  return casesOf(http, runId, PATIENCE_MS).catch((error: Error) => error.message);
}
