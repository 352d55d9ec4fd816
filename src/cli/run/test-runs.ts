import { RUN_STATUSES } from '../../domain/run-status.js';
import { allItems } from '../api/pages.js';
import type { Http, HttpRequest } from '../api/http.js';
import type { RunView } from '../api/shapes.js';

/** How many tests a suite run has; 0 while it is not known. */
export function sizeOf({ counts }: RunView): number {
  return RUN_STATUSES.reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
}

/** All test runs of a suite run. The answer that tells of the suite run has the first 1,000. */
export async function testRunsOf(
  http: Http,
  run: RunView,
  waiting: Pick<HttpRequest, 'patienceMs' | 'signal'>,
): Promise<RunView[]> {
  const first = run.testRuns ?? [];
  if (run.testRuns && first.length >= sizeOf(run)) return first;
  return allItems<RunView>(http, { ...waiting, path: `/suiteruns/${run.id}/testruns/` });
}
