import type { Collections } from '#src/db/schema/collections.js';
import { createLiveTargets } from '#src/db/targets/live-targets.js';
import { createProjectStatsStore } from '#src/db/stats/project-stats-store.js';
import { createTargetStatsStore } from '#src/db/stats/target-stats-store.js';
import type { Clock } from '#src/domain/clock.js';
import type { TargetStats } from '#src/domain/stats/stats.js';
import { medianOf } from '#src/domain/stats/target-stats.js';
import { createInsights } from './insights.js';
import { createHealthReader } from './project-health.js';
import { createVerdictPages } from './page-by-verdict.js';
import { statsOf } from './target-stats.js';

export type StatsServices = ReturnType<typeof createStatsServices>;

/**
 * Statistics of tests, suites and projects. They include a run a few seconds after its end.
 * Each throws the driver's error when the database does not respond in time.
 */
export function createStatsServices(collections: Collections, clock: Clock) {
  const store = createTargetStatsStore(collections);
  const targets = createLiveTargets(collections);
  const projects = createProjectStatsStore(collections);
  return {
    /** Statistics of these tests or suites. */
    async ofTargets(targetIds: readonly string[]): Promise<Map<string, TargetStats>> {
      const records = new Map((await store.of(targetIds)).map((record) => [record._id, record]));
      return new Map(targetIds.map((id) => [id, statsOf(records.get(id))]));
    },

    /** The expected duration of a suite run: the median of the last runs, in ms; undefined when none has passed or failed. */
    async etaOf(suiteId: string): Promise<number | undefined> {
      const [record] = await store.of([suiteId]);
      return record && medianOf(record.recent);
    },

    ofProjects: createHealthReader({ store, targets, projects }),
    pageByVerdict: createVerdictPages({ store, targets }),
    insights: createInsights({ store, targets, projects, clock }),
  };
}
