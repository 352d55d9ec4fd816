import type { SuiteRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { GROWN_MODIFIED } from '#src/db/runs/run-status-store.js';

const NEAREST = 20;

/** What the line of a suite whose runs must not overlap reads and notes of their records. */
export interface SuiteLineStore {
  /** The suite's open runs that were triggered before this one, nearest first, up to 20; `queuedAt` in ms since 1970. */
  openRunsBefore(run: SuiteRun): Promise<{ runId: string; queuedAt: number }[]>;
  /** Notes what a run waits for, while it does. */
  noteReason(runId: string, reason: string): Promise<void>;
}

export function createSuiteLineStore({ runs }: Collections): SuiteLineStore {
  return {
    async openRunsBefore({ _id, targetId, queuedAt }) {
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

    async noteReason(runId, reason) {
      await runs.updateOne({ _id: runId, status: 'queued' }, [
        { $set: { reason: { $literal: reason }, modified: GROWN_MODIFIED } },
      ]);
    },
  };
}
