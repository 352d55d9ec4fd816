import type { Run, TestRun } from '#src/domain/runs/run.js';
import type { Clock } from '#src/domain/clock.js';
import { TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import { removeArtifacts } from '#src/db/artifacts/artifacts.js';
import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { idsOf } from '#src/db/query/ids-of.js';
import { createOrphanedChunks } from '#src/db/artifacts/orphaned-chunks.js';

const INDEX = 'expiry';
/** Log lines, steps or cases per delete. */
const LINES = 5000;
const TESTS = 100;

export type ExpiredRun = Pick<Run, '_id' | 'kind' | 'expiresAt'> & Pick<TestRun, 'suiteRunId'>;

export type ExpiredRunStore = ReturnType<typeof createExpiredRunStore>;

export interface ExpiredPage {
  runs: ExpiredRun[];
  /** Start of the next page; absent on the last page. */
  next?: ExpiredRun;
}

/** Called between deletes. */
export type OnBatch = () => Promise<void>;

/** Expired runs. Removal deletes a run's data before the run, so that a crash leaves no orphaned data. */
export function createExpiredRunStore(collections: Collections, clock: Clock) {
  const { runs, runLogs, runSteps, runCases } = collections;
  const orphans = createOrphanedChunks(collections);

  async function removeTests(runIds: readonly string[], onBatch: OnBatch): Promise<void> {
    const runId = { $in: [...runIds] };
    // A single run may have very many.
    await deleteInBatches(runLogs, { runId }, { size: LINES, onBatch });
    await deleteInBatches(runSteps, { runId }, { size: LINES, onBatch });
    await deleteInBatches(runCases, { runId }, { size: LINES, onBatch });
    await removeArtifacts(collections, runIds, onBatch);
    await runs.deleteMany({ _id: runId });
    await onBatch();
  }

  return {
    /**
     * The next ended runs that have expired, by expiry. Test runs of an existing suite run are left out: they are
     * removed with it.
     */
    async page(from: ExpiredRun | undefined, limit: number, exceptProjects: readonly string[]): Promise<ExpiredPage> {
      const after = from
        ? { $or: [{ expiresAt: { $gt: from.expiresAt } }, { expiresAt: from.expiresAt, _id: { $gt: from._id } }] }
        : {};
      const page = (await runs
        .find(
          {
            $and: [{ expiresAt: { $lte: clock.now() } }, after],
            status: { $in: [...TERMINAL_STATUSES] },
            projectId: { $nin: [...exceptProjects] },
          },
          { projection: { kind: 1, expiresAt: 1, suiteRunId: 1 }, hint: INDEX },
        )
        .sort({ expiresAt: 1, _id: 1 })
        .limit(limit)
        .toArray()) as ExpiredRun[];
      const suiteRunIds = new Set(page.flatMap(({ suiteRunId }) => suiteRunId ?? []));
      const suites = suiteRunIds.size > 0 ? await runs.distinct('_id', { _id: { $in: [...suiteRunIds] } }) : [];
      const present = new Set(suites);
      return {
        runs: page.filter(({ suiteRunId }) => suiteRunId === undefined || !present.has(suiteRunId)),
        next: page.length === limit ? page.at(-1) : undefined,
      };
    },

    /** Removes runs with their logs and files. */
    removeTests,

    /** Removes orphaned artifact content; each call checks a part of the bucket. @returns the number of files */
    removeOrphans: orphans.remove,

    /** Removes a suite run with its test runs. @returns how many runs; 0 while a test run is open */
    async removeSuite(suiteRunId: string, onBatch: OnBatch) {
      const open = { suiteRunId, status: { $nin: [...TERMINAL_STATUSES] } };
      if (await runs.findOne(open, { projection: { _id: 1 }, hint: 'suite_tests' })) return 0;
      let removed = 0;
      for (;;) {
        const tests = await idsOf(runs, { suiteRunId }, { hint: 'suite_tests', limit: TESTS });
        if (tests.length === 0) break;
        await removeTests(tests, onBatch);
        removed += tests.length;
      }
      await removeTests([suiteRunId], onBatch);
      return removed + 1;
    },
  };
}
