import type { CaseFilter } from '#src/db/runs/run-cases.js';
import { attemptsWithCases } from '#src/domain/runs/cases-of-run.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { TestRun } from '#src/domain/runs/run.js';
import type { CaseStatus, TestCase } from '#src/domain/runs/test-case.js';

export interface CaseQuery {
  /** From 1. Default: the last attempt with cases. */
  attempt?: number | undefined;
  /** Default: all. */
  statuses?: readonly CaseStatus[] | undefined;
}

/** Cases of one attempt. */
export interface CasePage extends Page<TestCase> {
  /** Absent when there are no cases. */
  attempt?: number;
}

/** Reads the cases of a run, errors and failures first. @throws like readPage */
export function createCaseReader(pageOf: (filter: CaseFilter, page: PageRequest) => Promise<Page<TestCase>>) {
  return async (
    run: Pick<TestRun, '_id' | 'attempts'>,
    { attempt, statuses }: CaseQuery,
    page: PageRequest,
  ): Promise<CasePage> => {
    const found = attemptsWithCases(run).findLast(({ number }) => attempt === undefined || number === attempt);
    if (!found) return { count: 0, items: [] };
    // Cases that a lost worker left for the same attempt have another delivery number.
    const { number, delivery } = found;
    const filter = { runId: run._id, attempt: number, delivery, statuses };
    return { ...(await pageOf(filter, page)), attempt: number };
  };
}
