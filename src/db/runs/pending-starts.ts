import { randomUUID } from 'node:crypto';
import { NOT_STARTED } from '#src/domain/runs/reconciliation.js';
import type { Clock } from '#src/domain/clock.js';
import type { Run } from '#src/domain/runs/run.js';
import { coalesce } from '#src/db/query/coalesce.js';
import { idsOf } from '#src/db/query/ids-of.js';
import type { Collections } from '#src/db/schema/collections.js';
import { endPending } from './run-status-store.js';

/** A run whose workflow has not been started yet. */
export type PendingRun = Pick<
  Run,
  '_id' | 'kind' | 'projectId' | 'targetId' | 'targetName' | 'triggeredBy' | 'definition' | 'queuedAt' | 'dispatch'
>;

/** Hinted, because the planner prefers a scan of all runs. */
const INDEX = 'pending_starts';
/** Starts are recorded in batches, so that these writes do not compete with the starts for the disk. */
const CLEAR_EVERY_MS = 100;
const GIVE_UP_BATCH = 1000;

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

export type PendingStarts = ReturnType<typeof createPendingStarts>;

const after = (ms: number) => ({ $add: ['$$NOW', ms] });
// Expressions, so that they are evaluated at the time of the write.
const youngerThan = (ms: number) => ({ $expr: { $gte: ['$queuedAt', { $subtract: ['$$NOW', ms] }] } });
const olderThan = (ms: number) => ({ $expr: { $lt: ['$queuedAt', { $subtract: ['$$NOW', ms] }] } });
const dueSince = (ms: number) => ({ $expr: { $lte: ['$dispatch.after', { $subtract: ['$$NOW', ms] }] } });

/**
 * The outbox of workflow starts. The entry is part of the run's record (`dispatch`): until `dispatch.after` it is
 * leased to the process that starts it. All times are by the database's clock.
 */
export function createPendingStarts({ runs }: Collections, clock: Clock) {
  const clear = coalesce(
    async (ids: string[]): Promise<true[]> => {
      await runs.updateMany({ _id: { $in: ids } }, { $unset: { dispatch: '' } });
      return ids.map(() => true);
    },
    { gatherMs: CLEAR_EVERY_MS },
  );

  async function dueIds(limit: number, overdueMs: number, deadlineMs: number): Promise<string[]> {
    const now = clock.now().getTime();
    const due = { 'dispatch.after': { $lte: new Date(now - overdueMs) } };
    const projects = await runs
      .aggregate<{ _id: string }>([{ $match: due }, { $group: { _id: '$projectId' } }], { hint: INDEX })
      .toArray();
    shuffle(projects);
    const perProject = await Promise.all(
      projects.map(({ _id: projectId }) =>
        idsOf(
          runs,
          { projectId, ...due, queuedAt: { $gte: new Date(now - deadlineMs) } },
          { sort: { 'dispatch.after': 1 }, limit, hint: INDEX },
        ),
      ),
    );
    const turns: string[] = [];
    for (let turn = 0; turns.length < limit && perProject.some((ids) => turn < ids.length); turn++)
      for (const ids of perProject) if (turn < ids.length && turns.length < limit) turns.push(ids[turn]!);
    return turns;
  }

  return {
    /**
     * Leases up to `limit` due runs for `leaseMs`, in turn from each project.
     * @param among.overdueMs minimum time since the runs became due
     * @param among.deadlineMs maximum time since the runs were accepted; older ones are given up
     */
    async claim(
      limit: number,
      leaseMs: number,
      { overdueMs = 0, deadlineMs }: { overdueMs?: number; deadlineMs: number },
    ): Promise<PendingRun[]> {
      const ids = await dueIds(limit, overdueMs, deadlineMs);
      if (ids.length === 0) return [];
      const claim = randomUUID();
      await runs.updateMany(
        { _id: { $in: ids }, status: 'queued', $and: [dueSince(overdueMs), youngerThan(deadlineMs)] },
        [{ $set: { 'dispatch.after': after(leaseMs), 'dispatch.claim': claim } }],
      );
      const claimed = await runs
        .find({ _id: { $in: ids }, 'dispatch.claim': claim }, { projection: START_FIELDS })
        .toArray();
      const order = new Map(ids.map((id, index) => [id, index]));
      return claimed.sort((a, b) => order.get(a._id)! - order.get(b._id)!);
    },

    /** Extends the leases of runs that are still pending. */
    async renew(ids: string[], leaseMs: number) {
      if (ids.length === 0) return;
      await runs.updateMany({ _id: { $in: ids }, dispatch: { $exists: true } }, [
        { $set: { 'dispatch.after': after(leaseMs) } },
      ]);
    },

    /** Removes the entry when the workflow was started or the run needs none; coalesced. */
    clear: async (id: string): Promise<void> => void (await clear(id)),

    /** Lets any server claim the runs after `afterMs`. @param failed counts a failed start */
    async release(ids: string[], afterMs: number, failed: boolean) {
      if (ids.length === 0) return;
      const attempts = { 'dispatch.attempts': { $add: ['$dispatch.attempts', 1] } };
      await runs.updateMany({ _id: { $in: ids }, dispatch: { $exists: true } }, [
        { $set: { 'dispatch.after': after(afterMs), ...(failed ? attempts : {}) } },
      ]);
    },

    /**
     * Ends up to 1,000 runs as `error`/`NOT_STARTED` that were accepted more than `deadlineMs` ago. Leased runs are
     * left out, because their start may be in flight.
     * @returns how many
     */
    async giveUp(deadlineMs: number) {
      const now = clock.now();
      const late = await idsOf(
        runs,
        { 'dispatch.after': { $lte: now }, queuedAt: { $lt: new Date(now.getTime() - deadlineMs) } },
        { hint: 'pending_since', limit: GIVE_UP_BATCH },
      );
      if (late.length === 0) return 0;
      return endPending(runs, late, NOT_STARTED, { $and: [olderThan(deadlineMs), dueSince(0)] });
    },

    /** The number of pending runs, and when the oldest was queued. */
    async count(): Promise<{ pending: number; oldest?: Date }> {
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
      return { pending, oldest: oldest?.queuedAt };
    },
  };
}

/** So that a project whose runs cannot be started is not always the first. */
function shuffle(items: unknown[]): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}
