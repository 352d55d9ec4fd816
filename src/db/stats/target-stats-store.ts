import type { Document } from 'mongodb';
import { TARGET_KINDS, type TargetKind } from '#src/domain/targets/target-kind.js';
import type { PageRequest } from '#src/domain/page.js';
import { VERDICTS, type TargetRecord, type Verdict } from '#src/domain/stats/target-stats.js';
import type { Collections } from '#src/db/schema/collections.js';
import { readPage, type PageQuery } from '#src/db/query/page.js';

const OPTIONS = { maxTimeMS: 2000 };

/** Sort order of a list of targets: latest, worst or slowest first. */
export type StatsSort = 'lastRun' | 'passRate' | 'duration';

const SORTS: Record<StatsSort, { sort: PageQuery<TargetRecord>['sort']; hint: string }> = {
  lastRun: {
    sort: [
      { field: 'lastEndedAt', order: -1, type: 'date' },
      { field: '_id', order: -1, type: 'text' },
    ],
    hint: 'by_last_run',
  },
  passRate: {
    sort: [
      { field: 'passRate', order: 1, type: 'number' },
      { field: '_id', order: 1, type: 'text' },
    ],
    hint: 'by_pass_rate',
  },
  duration: {
    sort: [
      { field: 'medianMs', order: -1, type: 'number' },
      { field: '_id', order: -1, type: 'text' },
    ],
    hint: 'by_duration',
  },
};

export interface StatsFilter {
  projectId: string;
  kind: TargetKind;
  /** Last verdicts; default: all. */
  statuses?: readonly Verdict[];
  /** Only these targets. */
  ids?: readonly string[];
  /** Targets to leave out. */
  except?: readonly string[];
}

export type Slow = Pick<TargetRecord, '_id' | 'medianMs'>;

/** A target, and how often its verdict has changed on the same revision. */
export interface Flaky {
  _id: string;
  flips: number;
}

export type TargetStatsStore = ReturnType<typeof createTargetStatsStore>;

/** Statistics of tests and suites, archived ones included. Each call throws the driver's error when the database does not answer. */
export function createTargetStatsStore({ targetStats }: Pick<Collections, 'targetStats'>) {
  return {
    of: (ids: readonly string[]): Promise<TargetRecord[]> =>
      targetStats.find({ _id: { $in: [...ids] } }, OPTIONS).toArray(),

    /** @throws InvalidInputError for a cursor of another list */
    page: (filter: StatsFilter, sort: StatsSort, request: PageRequest) =>
      readPage<TargetRecord, TargetRecord>(targetStats, { filter: queryOf(filter), ...SORTS[sort] }, request),

    /** Per project, the number of targets whose last verdict is one of `statuses`. */
    async countWith(statuses: readonly Verdict[], projectIds: readonly string[], except: readonly string[]) {
      const filter = {
        projectId: { $in: [...projectIds] },
        kind: { $in: [...TARGET_KINDS] },
        status: { $in: [...statuses] },
        _id: { $nin: [...except] },
      };
      const groups = targetStats.aggregate<{ _id: string; count: number }>(
        [{ $match: filter }, { $group: { _id: '$projectId', count: { $sum: 1 } } }],
        { ...OPTIONS, hint: SORTS.lastRun.hint },
      );
      return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
    },

    /** The slowest tests with a verdict since a day (`2026-08-02`). */
    slowest: (projectId: string, sinceDay: string, except: readonly string[], limit: number) =>
      targetStats
        .find<Slow>(
          { ...queryOf({ projectId, kind: 'test', except }), lastEndedAt: { $gte: new Date(sinceDay) } },
          { ...OPTIONS, hint: SORTS.duration.hint, projection: { medianMs: 1 } },
        )
        .sort({ medianMs: -1, _id: -1 })
        .limit(limit)
        .toArray(),

    /** The tests whose verdict has changed most often since a day (`2026-08-02`). */
    flakiest: (projectId: string, sinceDay: string, except: readonly string[], limit: number) =>
      targetStats
        .aggregate<Flaky>(
          [
            {
              $match: { projectId, kind: 'test', lastFlipAt: { $gte: new Date(sinceDay) }, _id: { $nin: [...except] } },
            },
            { $project: { flips: sumOfDays(sinceDay) } },
            { $sort: { flips: -1, _id: 1 } },
            { $limit: limit },
          ],
          { ...OPTIONS, hint: 'flaky' },
        )
        .toArray(),
  };
}

/** Always filters by status, because it precedes the sort fields in the index. */
function queryOf({
  projectId,
  kind,
  statuses = VERDICTS,
  ids,
  except = [],
}: StatsFilter): PageQuery<TargetRecord>['filter'] {
  return { projectId, kind, status: { $in: [...statuses] }, _id: { $in: ids && [...ids], $nin: [...except] } };
}

function sumOfDays(sinceDay: string): Document {
  const days = { $filter: { input: '$flips', cond: { $gte: ['$$this.day', sinceDay] } } };
  return { $sum: { $map: { input: days, in: '$$this.count' } } };
}
