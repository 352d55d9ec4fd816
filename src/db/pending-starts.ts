import { randomUUID } from 'node:crypto';
import { NOT_STARTED } from '../domain/reconciliation.js';
import type { Run } from '../domain/run.js';
import type { Collections } from './collections.js';
import { createRunStatusStore } from './run-status.js';
import { coalesce } from './coalesce.js';

/** A run that waits for its start. */
export type PendingRun = Pick<
  Run,
  '_id' | 'kind' | 'projectId' | 'targetId' | 'targetName' | 'triggeredBy' | 'definition' | 'queuedAt' | 'dispatch'
>;

/** Asked for by name: the planner prefers a scan of all runs (see set-up.ts). */
const INDEX = 'pending_starts';
/** Starts are noted in batches, so that they do not compete with the starts themselves for the disk. */
const CLEAR_EVERY_MS = 100;

const START_FIELDS = {
  kind: 1,
  projectId: 1,
  targetId: 1,
  targetName: 1,
  triggeredBy: 1,
  definition: 1,
  queuedAt: 1,
  'dispatch.attempts': 1,
};

/** The outbox: runs whose workflow has not been started yet. The record itself holds the entry (`dispatch`). */
export interface PendingStarts {
  /**
   * Claims up to `limit` due runs until now + `leaseMs`, taking turns among projects.
   * @param overdueMs only those that have been due for so long
   */
  claim(limit: number, leaseMs: number, overdueMs?: number): Promise<PendingRun[]>;
  /** The workflow was started (or the run needs none): coalesced. */
  clear(id: string): Promise<void>;
  /** Hands runs to the sweep of any server from `after` on; `failed` counts a start that was tried. */
  release(ids: string[], after: Date, failed: boolean): Promise<void>;
  /** Ends what has waited since before `before` as `error`/`NOT_STARTED`, up to 1,000; answers how many. */
  giveUp(before: Date): Promise<number>;
  /** How many wait, and since when the oldest does. */
  count(): Promise<{ pending: number; oldest?: Date }>;
}

export function createPendingStarts({ runs }: Collections): PendingStarts {
  const statuses = createRunStatusStore(runs);
  const clear = coalesce(
    async (ids: string[]): Promise<true[]> => {
      // Not journaled at once: a clear that is lost makes the sweep start the run once more, which changes nothing.
      await runs.updateMany(
        { _id: { $in: ids } },
        { $unset: { dispatch: '' } },
        { writeConcern: { w: 1, journal: false } },
      );
      return ids.map(() => true);
    },
    { gatherMs: CLEAR_EVERY_MS },
  );

  async function dueIds(limit: number, dueBy: Date): Promise<string[]> {
    const projects = await runs
      .aggregate<{ _id: string }>(
        [{ $match: { 'dispatch.after': { $lte: dueBy } } }, { $group: { _id: '$projectId' } }],
        { hint: INDEX },
      )
      .toArray();
    const perProject = await Promise.all(
      projects.map(({ _id: projectId }) =>
        runs
          .find({ projectId, 'dispatch.after': { $lte: dueBy } }, { projection: { _id: 1 }, hint: INDEX })
          .sort({ 'dispatch.after': 1 })
          .limit(limit)
          .map((run) => run._id)
          .toArray(),
      ),
    );
    const turns: string[] = [];
    for (let turn = 0; turns.length < limit && perProject.some((ids) => turn < ids.length); turn++)
      for (const ids of perProject) if (turn < ids.length && turns.length < limit) turns.push(ids[turn]!);
    return turns;
  }

  return {
    async claim(limit, leaseMs, overdueMs = 0) {
      const now = new Date();
      const dueBy = new Date(now.getTime() - overdueMs);
      const ids = await dueIds(limit, dueBy);
      if (ids.length === 0) return [];
      const claim = randomUUID();
      await runs.updateMany(
        { _id: { $in: ids }, 'dispatch.after': { $lte: dueBy }, status: 'queued' },
        { $set: { 'dispatch.after': new Date(now.getTime() + leaseMs), 'dispatch.claim': claim } },
      );
      const claimed = await runs
        .find({ _id: { $in: ids }, 'dispatch.claim': claim }, { projection: START_FIELDS })
        .toArray();
      const order = new Map(ids.map((id, index) => [id, index]));
      return claimed.sort((a, b) => order.get(a._id)! - order.get(b._id)!);
    },

    clear: async (id) => void (await clear(id)),

    async release(ids, after, failed) {
      if (ids.length === 0) return;
      await runs.updateMany(
        { _id: { $in: ids }, dispatch: { $exists: true } },
        { $set: { 'dispatch.after': after }, ...(failed ? { $inc: { 'dispatch.attempts': 1 } } : {}) },
      );
    },

    async giveUp(before) {
      const late = await runs
        .find(
          { 'dispatch.after': { $exists: true }, queuedAt: { $lt: before } },
          { projection: { _id: 1 }, hint: 'pending_since' },
        )
        .limit(1000)
        .toArray();
      let ended = 0;
      for (const { _id } of late) if ((await statuses.endRun(_id, NOT_STARTED)).endedNow) ended++;
      return ended;
    },

    async count() {
      const [pending, oldest] = await Promise.all([
        runs.countDocuments({ 'dispatch.after': { $gte: new Date(0) } }, { maxTimeMS: 2000, hint: INDEX }),
        runs
          .find(
            { 'dispatch.after': { $exists: true } },
            { projection: { queuedAt: 1 }, maxTimeMS: 2000, hint: 'pending_since' },
          )
          .sort({ queuedAt: 1 })
          .limit(1)
          .next(),
      ]);
      return { pending, ...(oldest ? { oldest: oldest.queuedAt } : {}) };
    },
  };
}
