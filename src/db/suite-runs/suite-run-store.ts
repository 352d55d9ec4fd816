import { TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import { endOfBegun } from '#src/domain/runs/end-of-test.js';
import type { RunEnd, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { chunksOf, testsAsOf } from '#src/db/targets/definitions.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';
import { countTestRuns } from './suite-counts.js';
import { createRunStatusStore, endAll, skipWaiting } from '#src/db/runs/run-status-store.js';

const BATCH = 1000;
/** For queries of an HTTP request. */
const MAX_TIME_MS = 3000;
/** Hinted, because the embedded engine of the local stack fails when it replans for a suite of another size. */
const INDEX = 'suite_tests';

export type SuiteRunStore = ReturnType<typeof createSuiteRunStore>;

/** A suite run and the test runs that belong to it. */
export function createSuiteRunStore(collections: Collections) {
  const { runs } = collections;
  const statuses = createRunStatusStore(runs);

  return {
    async find(id: string) {
      return ((await runs.findOne({ _id: id, kind: 'suite' })) as SuiteRun | null) ?? undefined;
    },

    /** The suite's tests as of its trigger; tests that its project did not have are absent. */
    testsOf: (suiteRun: SuiteRun) => testsAsOf(collections, suiteRun.definition.tests, suiteRun),

    /** Inserts test runs in batches; existing ones stay unchanged. `onBatch` is called after each. */
    async insertTestRuns(testRuns: TestRun[], onBatch: () => void) {
      for (let from = 0; from < testRuns.length; from += BATCH) {
        await runs.insertMany(testRuns.slice(from, from + BATCH), { ordered: false }).catch(ignoreDuplicateKeys);
        onBatch();
      }
    },

    /** Ends the test runs that are open, in guarded writes of up to 1,000. `onBatch` is called after each. */
    async endTestRuns(runIds: readonly string[], end: RunEnd, onBatch: () => void) {
      for (const some of chunksOf(runIds)) {
        await endAll(runs, some, end);
        onBatch();
      }
    },

    /** The suite's test runs from a position on, in order. `onlyFailed`: those that failed and may be retried. */
    listTestRuns: async (suiteRunId: string, from: number, limit: number, onlyFailed: boolean) =>
      (await runs
        .find(
          {
            suiteRunId,
            position: onlyFailed ? { $gte: from } : { $gte: from, $lt: from + limit },
            status: onlyFailed ? 'auto_retrying' : undefined,
          },
          { hint: INDEX },
        )
        .sort({ position: 1 })
        .limit(limit)
        .toArray()) as TestRun[],

    /** Ids of the tests whose runs did not pass, in the suite's order, and the number of test runs. */
    async notPassed(suiteRunId: string) {
      const all = await runs
        .find({ suiteRunId }, { projection: { targetId: 1, status: 1 }, hint: INDEX, maxTimeMS: MAX_TIME_MS })
        .sort({ position: 1 })
        .toArray();
      return { testIds: all.filter(({ status }) => status !== 'passed').map((run) => run.targetId), total: all.length };
    },

    async statusesOf(runIds: string[]) {
      const found = await runs.find({ _id: { $in: runIds } }, { projection: { status: 1 } }).toArray();
      return new Map(found.map(({ _id, status }) => [_id, status]));
    },

    count: (suiteRunId: string) => countTestRuns(runs, suiteRunId),

    /**
     * Ends the suite's open test runs: `skipped` if not started, with the last verdict if waiting for the suite's next
     * pass, else `stopped`. `onBatch` is called regularly.
     */
    async endOpenTestRuns(suiteRunId: string, onBatch: () => void) {
      await skipWaiting(runs, suiteRunId, [], onBatch);
      const open = runs.find(
        { suiteRunId, status: { $nin: [...TERMINAL_STATUSES] } },
        { projection: { status: 1, attempts: 1 }, hint: INDEX },
      );
      for await (const run of open) {
        await statuses.endRun(run._id, endOfBegun(run as TestRun));
        onBatch();
      }
    },
  };
}
