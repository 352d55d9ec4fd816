import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { LiveTargets } from '#src/db/targets/live-targets.js';
import type { StatsSort, TargetStatsStore } from '#src/db/stats/target-stats-store.js';
import { MAX_COUNT, type Page, type PageRequest } from '#src/domain/page.js';
import type { RankedTarget } from '#src/domain/stats/stats.js';
import type { Verdict } from '#src/domain/stats/target-stats.js';
import { statsOf } from './target-stats.js';

export interface VerdictQuery {
  projectId: string;
  kind: TargetKind;
  /** Filters by the last verdict. Default: all. */
  statuses?: readonly Verdict[];
  /** Part of the name, case-insensitive. */
  search?: string;
  /** Newest, lowest pass rate or slowest first. */
  sort: StatsSort;
}

export interface VerdictPageDeps {
  store: Pick<TargetStatsStore, 'page'>;
  targets: Pick<LiveTargets, 'archived' | 'named' | 'names'>;
}

/**
 * Lists live tests or suites with a verdict, by their statistics.
 * @throws InvalidInputError for a cursor of another list
 */
export function createVerdictPages({ store, targets }: VerdictPageDeps) {
  return async ({ search, sort, ...filter }: VerdictQuery, request: PageRequest): Promise<Page<RankedTarget>> => {
    const { kind, projectId } = filter;
    const [except, ids] = await Promise.all([
      targets.archived([projectId]),
      search === undefined ? undefined : targets.named(kind, projectId, search, MAX_COUNT),
    ]);
    const page = await store.page({ ...filter, except, ids }, sort, request);
    const names = await targets.names(
      kind,
      page.items.map(({ _id }) => _id),
    );
    return {
      ...page,
      items: page.items.map((record) => ({
        targetId: record._id,
        name: names.get(record._id) ?? record._id,
        stats: statsOf(record),
      })),
    };
  };
}
