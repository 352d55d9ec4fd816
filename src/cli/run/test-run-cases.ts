import { CASE_STATUSES, casesIn } from '#src/domain/runs/test-case.js';
import type { Http } from '#src/cli/api/http.js';
import { allItems } from '#src/cli/api/pages.js';
import type { CaseView, TestRunView } from '#src/cli/api/responses.js';
import { count } from '#src/cli/text.js';

/** `120 cases: 117 passed, 3 failed`; empty without results. */
export function casesText({ cases }: Pick<TestRunView, 'cases'>): string {
  if (!cases) return '';
  const some = CASE_STATUSES.filter((status) => cases[status] > 0).map((status) => `${cases[status]} ${status}`);
  return `${count(casesIn(cases), 'case')}: ${some.join(', ')}`;
}

/** Reads the cases of a test run, errors and failures first. */
export function casesOf(http: Http, runId: string, patienceMs: number): Promise<CaseView[]> {
  return allItems<CaseView>(http, { path: `/testruns/${runId}/cases/`, patienceMs });
}
