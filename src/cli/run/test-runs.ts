import { RUN_STATUSES } from '#src/domain/runs/run-status.js';
import { allItems } from '#src/cli/api/pages.js';
import type { Http, HttpRequest } from '#src/cli/api/http.js';
import type { RunView, SuiteRunView, TestRunView } from '#src/cli/api/responses.js';

/** Number of tests of a suite run; 0 while it is unknown, and for a test run. */
export function sizeOf(run: RunView): number {
  return run.kind === 'test' ? 0 : RUN_STATUSES.reduce((sum, status) => sum + (run.counts[status] ?? 0), 0);
}

/** All test runs of a suite run. The response of the suite run contains the first 1,000. */
export async function testRunsOf(
  http: Http,
  run: SuiteRunView,
  waiting: Pick<HttpRequest, 'patienceMs' | 'signal'>,
): Promise<TestRunView[]> {
  if (run.testRuns.length >= sizeOf(run)) return run.testRuns;
  return allItems<TestRunView>(http, { ...waiting, path: `/suiteruns/${run.id}/testruns/` });
}
