import { writeFile } from 'node:fs/promises';
import type { Http } from '../api/http.js';
import type { RunView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { printReport } from '../reports/inline.js';
import { junitReport, type ReportedTest } from '../reports/junit.js';
import type { ReportTarget } from '../reports/report-file.js';
import { endOfLog } from './log.js';
import { testRunsOf } from './test-runs.js';

const LOG_LINES = 50;
/** Logs are read for so many tests at most, so many at a time. */
const LOGS = 200;
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
  const content = document ?? junitReport(run, tests);
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
