import type { CaseFilter } from '#src/db/runs/run-cases.js';
import { attemptsWithCases } from '#src/domain/runs/cases-of-run.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { TestRun } from '#src/domain/runs/run.js';
import type { CaseStatus, TestCase } from '#src/domain/runs/test-case.js';

export interface CaseQuery {
  /** From 1; the last one that has cases. */
  attempt?: number | undefined;
  /** All. */
  statuses?: readonly CaseStatus[] | undefined;
}

/** Cases of one attempt. */
export interface CasePage extends Page<TestCase> {
  /** None: there are no cases. */
  attempt?: number;
}

/** @returns how to read the cases of a run, errors and failures first; it throws as readPage does */
export function createCaseReader(pageOf: (filter: CaseFilter, page: PageRequest) => Promise<Page<TestCase>>) {
  return async (
    run: Pick<TestRun, '_id' | 'attempts'>,
    { attempt, statuses }: CaseQuery,
    page: PageRequest,
  ): Promise<CasePage> => {
    const found = attemptsWithCases(run).findLast(({ number }) => attempt === undefined || number === attempt);
    // What a lost worker has left of the same attempt is of another delivery.
    if (!found) return { count: 0, items: [] };
    const { number, delivery } = found;
    const filter = { runId: run._id, attempt: number, delivery, statuses };
    return { ...(await pageOf(filter, page)), attempt: number };
  };
}
