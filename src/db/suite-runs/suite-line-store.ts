import type { SuiteRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { GROWN_MODIFIED } from '#src/db/runs/run-status-store.js';

const NEAREST = 20;

export type SuiteLineStore = ReturnType<typeof createSuiteLineStore>;

/** Records of the runs of a suite whose runs must not overlap, for its line. */
export function createSuiteLineStore({ runs }: Collections) {
  return {
    /** Up to 20 open runs of the suite that were triggered before this one, latest first; `queuedAt` in Unix ms. */
    async openRunsBefore({ _id, targetId, queuedAt }: SuiteRun) {
      const found = await runs
        .find(
          {
            kind: 'suite',
            targetId,
            status: { $in: ['queued', 'running'] },
            $or: [{ queuedAt: { $lt: queuedAt } }, { queuedAt, _id: { $lt: _id } }],
          },
          { projection: { queuedAt: 1 }, hint: 'listed_of_target' },
        )
        .sort({ queuedAt: -1, _id: -1 })
        .limit(NEAREST)
        .toArray();
      return found.map((run) => ({ runId: run._id, queuedAt: run.queuedAt.getTime() }));
    },

    /** Records why a queued run waits. */
    async noteReason(runId: string, reason: string) {
      await runs.updateOne({ _id: runId, status: 'queued' }, [
        { $set: { reason: { $literal: reason }, modified: GROWN_MODIFIED } },
      ]);
    },
  };
}
