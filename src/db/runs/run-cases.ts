import type { Page, PageRequest } from '#src/domain/page.js';
import type { CaseStatus, TestCase } from '#src/domain/runs/test-case.js';
import type { Collections } from '#src/db/schema/collections.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';
import { readPage } from '#src/db/query/page.js';
import type { SortKey } from '#src/db/query/page-cursor.js';

export const CASES_OF_RUN = 'cases_of_run';

/** Alphabetical order lists the most important statuses first: error, failed, passed, skipped. */
const BAD_FIRST: readonly [SortKey, SortKey] = [
  { field: 'status', order: 1, type: 'text' },
  { field: 'number', order: 1, type: 'number' },
];

export interface CaseFilter extends Pick<TestCase, 'runId' | 'attempt' | 'delivery'> {
  /** Default: all. */
  statuses?: readonly CaseStatus[];
}

/** Inserts cases; existing ones stay unchanged. @throws the driver's error when any may be missing */
export async function insertRunCases(
  { runCases }: Pick<Collections, 'runCases'>,
  cases: readonly TestCase[],
): Promise<void> {
  if (cases.length === 0) return;
  await runCases.insertMany([...cases], { ordered: false }).catch(ignoreDuplicateKeys);
}

/** A page of the cases of an attempt, errors and failures first. @throws like readPage */
export function pageOfCases(
  { runCases }: Pick<Collections, 'runCases'>,
  { statuses, ...of }: CaseFilter,
  page: PageRequest,
): Promise<Page<TestCase>> {
  const filter = { ...of, status: statuses && { $in: [...statuses] } };
  return readPage<TestCase, TestCase>(runCases, { filter, sort: BAD_FIRST, hint: CASES_OF_RUN }, page);
}
