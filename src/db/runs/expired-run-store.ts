import type { Run, TestRun } from '#src/domain/runs/run.js';
import type { Clock } from '#src/domain/clock.js';
import { TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import { removeArtifacts } from '#src/db/artifacts/artifacts.js';
import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { createOrphanedChunks } from '#src/db/artifacts/orphaned-chunks.js';

const INDEX = 'expiry';
/** Log lines, steps or cases in one delete. */
const LINES = 5000;
const TESTS = 100;

export type ExpiredRun = Pick<Run, '_id' | 'kind' | 'expiresAt'> & Pick<TestRun, 'suiteRunId'>;

/** Runs past their time, and their removal: what belongs to a run first, so that a crash leaves nothing without its run. */
export interface ExpiredRunStore {
  /**
   * The next runs that are over and past their time, in the order of it. A suite's tests are not among them: they go
   * with their suite, unless that is gone.
   * @returns the runs, and where the next page begins; none, this was the last
   */
  page(from: ExpiredRun | undefined, limit: number, exceptProjects: readonly string[]): Promise<ExpiredPage>;
  /** Removes runs with their logs and files. `onBatch` is called between deletes. */
  removeTests(runIds: readonly string[], onBatch: OnBatch): Promise<void>;
  /** The same with a suite run and its tests. @returns how many runs; 0 when a test of it is not over */
  removeSuite(suiteRunId: string, onBatch: OnBatch): Promise<number>;
  /** Removes stored content that belongs to no file, a part of the bucket at each call. @returns of how many files */
  removeOrphans(onBatch: OnBatch): Promise<number>;
}

export interface ExpiredPage {
  runs: ExpiredRun[];
  next?: ExpiredRun;
}

/** Room for the pause between two deletes. */
export type OnBatch = () => Promise<void>;

export function createExpiredRunStore(collections: Collections, clock: Clock): ExpiredRunStore {
  const { runs, runLogs, runSteps, runCases } = collections;
  const orphans = createOrphanedChunks(collections);

  async function removeTests(runIds: readonly string[], onBatch: OnBatch): Promise<void> {
    const runId = { $in: [...runIds] };
    // Of one run there may be very many.
    await deleteInBatches(runLogs, { runId }, { size: LINES, onBatch });
    await deleteInBatches(runSteps, { runId }, { size: LINES, onBatch });
    await deleteInBatches(runCases, { runId }, { size: LINES, onBatch });
    await removeArtifacts(collections, runIds, onBatch);
    await runs.deleteMany({ _id: runId });
    await onBatch();
  }

  return {
    async page(from, limit, exceptProjects) {
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
        ...(page.length === limit ? { next: page.at(-1)! } : {}),
      };
    },

    removeTests,

    removeOrphans: orphans.remove,

    async removeSuite(suiteRunId, onBatch) {
      const open = { suiteRunId, status: { $nin: [...TERMINAL_STATUSES] } };
      if (await runs.findOne(open, { projection: { _id: 1 }, hint: 'suite_tests' })) return 0;
      let removed = 0;
      for (;;) {
        const tests = await runs
          .find({ suiteRunId }, { projection: { _id: 1 }, hint: 'suite_tests' })
          .limit(TESTS)
          .toArray();
        if (tests.length === 0) break;
        await removeTests(
          tests.map(({ _id }) => _id),
          onBatch,
        );
        removed += tests.length;
      }
      await removeTests([suiteRunId], onBatch);
      return removed + 1;
    },
  };
}
