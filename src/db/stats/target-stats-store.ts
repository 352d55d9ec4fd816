import type { Document } from 'mongodb';
import { TARGET_KINDS, type TargetKind } from '#src/domain/targets/target-kind.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import { VERDICTS, type TargetRecord, type Verdict } from '#src/domain/stats/target-stats.js';
import type { Collections } from '#src/db/schema/collections.js';
import { readPage, type PageQuery } from '#src/db/query/page.js';

const OPTIONS = { maxTimeMS: 2000 };

/** What a list of targets can be ordered by: newest, worst and slowest first. */
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
  /** Of the last verdict; all. */
  statuses?: readonly Verdict[];
  /** Among these. */
  ids?: readonly string[];
  /** Not among these. */
  except?: readonly string[];
}

export type Slow = Pick<TargetRecord, '_id' | 'medianMs'>;

/** A target whose verdict has changed on the same revision, and how often. */
export interface Flaky {
  _id: string;
  flips: number;
}

/** The numbers of tests and suites, archived ones too. Each call throws the driver's error when the database does not answer. */
export interface TargetStatsStore {
  of(ids: readonly string[]): Promise<TargetRecord[]>;
  /** @throws InvalidInputError for a cursor of another list */
  page(filter: StatsFilter, sort: StatsSort, request: PageRequest): Promise<Page<TargetRecord>>;
  /** How many of each project, except these, have one of these as their last verdict. */
  countWith(
    statuses: readonly Verdict[],
    projectIds: readonly string[],
    except: readonly string[],
  ): Promise<Map<string, number>>;
  /** The tests, except these, that have had a verdict since the day (`2026-08-02`), the slowest first. */
  slowest(projectId: string, sinceDay: string, except: readonly string[], limit: number): Promise<Slow[]>;
  /** The tests, except these, whose verdict changed most often since the day (`2026-08-02`), the worst first. */
  flakiest(projectId: string, sinceDay: string, except: readonly string[], limit: number): Promise<Flaky[]>;
}

export function createTargetStatsStore({ targetStats }: Pick<Collections, 'targetStats'>): TargetStatsStore {
  return {
    of: (ids) => targetStats.find({ _id: { $in: [...ids] } }, OPTIONS).toArray(),

    page: (filter, sort, request) =>
      readPage<TargetRecord, TargetRecord>(targetStats, { filter: queryOf(filter), ...SORTS[sort] }, request),

    async countWith(statuses, projectIds, except) {
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

    slowest: (projectId, sinceDay, except, limit) =>
      targetStats
        .find<Slow>(
          { ...queryOf({ projectId, kind: 'test', except }), lastEndedAt: { $gte: new Date(sinceDay) } },
          { ...OPTIONS, hint: SORTS.duration.hint, projection: { medianMs: 1 } },
        )
        .sort({ medianMs: -1, _id: -1 })
        .limit(limit)
        .toArray(),

    flakiest: (projectId, sinceDay, except, limit) =>
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

/** The status is always asked for: it stands before the order in the index. */
function queryOf({
  projectId,
  kind,
  statuses = VERDICTS,
  ids,
  except = [],
}: StatsFilter): PageQuery<TargetRecord>['filter'] {
  return {
    projectId,
    kind,
    status: { $in: [...statuses] },
    _id: { ...(ids ? { $in: [...ids] } : {}), $nin: [...except] },
  };
}

function sumOfDays(sinceDay: string): Document {
  const days = { $filter: { input: '$flips', cond: { $gte: ['$$this.day', sinceDay] } } };
  return { $sum: { $map: { input: days, in: '$$this.count' } } };
}
