import type { RunLists } from '../../db/list-runs.js';
import type { RunQueries } from '../../db/read-runs.js';
import { isTerminal, type StatusCounts } from '../../domain/run-status.js';
import type { ListedTest, RunKind, SuiteRun, TestRun } from '../../domain/run.js';
import { findRun } from './find-run.js';

/** How many of a suite run's tests come with it. */
export const TESTS_WITH_SUITE = 1000;

/** A run with all that is known of it. */
export type ShownRun = TestRun | (SuiteRun & { counts: StatusCounts; testRuns: ListedTest[] });

/** @returns how to read a run; it throws NotFoundError */
export function showRun({ queries, lists }: { queries: RunQueries; lists: RunLists }) {
  return async (kind: RunKind, runId: string): Promise<ShownRun> => {
    const run = await findRun(queries, kind, runId);
    if (run.kind === 'test') return run;
    const [tests, counts] = await Promise.all([
      lists.ofSuite(runId, { limit: TESTS_WITH_SUITE }),
      // Final ones are on the record; until then they are counted.
      isTerminal(run.status) && run.counts ? run.counts : queries.counts(runId),
    ]);
    return { ...run, counts, testRuns: tests.items };
  };
}
