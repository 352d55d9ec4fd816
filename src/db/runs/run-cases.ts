import type { Page, PageRequest } from '#src/domain/page.js';
import type { CaseStatus, TestCase } from '#src/domain/runs/test-case.js';
import type { Collections } from '#src/db/schema/collections.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';
import { readPage } from '#src/db/query/page.js';
import type { SortKey } from '#src/db/query/page-cursor.js';

/** The index of the cases of a run. */
export const CASES_OF_RUN = 'cases_of_run';

/** error, failed, passed, skipped: as the alphabet has it, what a person looks for comes first. */
const BAD_FIRST: readonly [SortKey, SortKey] = [
  { field: 'status', order: 1, type: 'text' },
  { field: 'number', order: 1, type: 'number' },
];

/** Which cases a list is of: those of one delivery of an attempt. */
export interface CaseFilter extends Pick<TestCase, 'runId' | 'attempt' | 'delivery'> {
  /** All. */
  statuses?: readonly CaseStatus[];
}

/** Inserts cases; those that are there already are left as they are. @throws the driver's error when any may be missing */
export async function insertRunCases(
  { runCases }: Pick<Collections, 'runCases'>,
  cases: readonly TestCase[],
): Promise<void> {
  if (cases.length === 0) return;
  await runCases.insertMany([...cases], { ordered: false }).catch(ignoreDuplicateKeys);
}

/** A page of the cases of an attempt, errors and failures first. @throws as readPage does */
export function pageOfCases(
  { runCases }: Pick<Collections, 'runCases'>,
  { statuses, ...of }: CaseFilter,
  page: PageRequest,
): Promise<Page<TestCase>> {
  const filter = { ...of, ...(statuses ? { status: { $in: [...statuses] } } : {}) };
  return readPage<TestCase, TestCase>(runCases, { filter, sort: BAD_FIRST, hint: CASES_OF_RUN }, page);
}
