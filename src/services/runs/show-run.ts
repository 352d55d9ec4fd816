import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunLists } from '#src/db/runs/list-runs.js';
import type { RunQueries } from '#src/db/runs/read-runs.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { CountedSuiteRun, ListedTest, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { findRun } from './find-run.js';

/** Most tests that are returned with a suite run. */
export const TESTS_WITH_SUITE = 1000;

/** A run with its details. */
export type ShownRun = ShownTestRun | ShownSuiteRun;
export type ShownTestRun = TestRun;
export type ShownSuiteRun = CountedSuiteRun & { testRuns: ListedTest[] };

/** Reads a run with its details. @throws NotFoundError */
export function showRun({ queries, lists }: { queries: RunQueries; lists: RunLists }) {
  return async (kind: TargetKind, runId: string): Promise<ShownRun> => {
    const run = await findRun(queries, kind, runId);
    if (run.kind === 'test') return run;
    const [tests, counted] = await Promise.all([
      lists.ofSuite(runId, {}, { limit: TESTS_WITH_SUITE }),
      withCounts(queries, run),
    ]);
    return { ...counted, testRuns: tests.items };
  };
}

/** Reads a suite run without its tests. @throws NotFoundError */
export function showCounts(queries: Pick<RunQueries, 'find' | 'counts'>) {
  return async (runId: string): Promise<CountedSuiteRun> => withCounts(queries, await findRun(queries, 'suite', runId));
}

/** Final counts are on the record; until then, they are computed. */
async function withCounts(queries: Pick<RunQueries, 'counts'>, run: SuiteRun): Promise<CountedSuiteRun> {
  return { ...run, counts: isTerminal(run.status) && run.counts ? run.counts : await queries.counts(run._id) };
}
