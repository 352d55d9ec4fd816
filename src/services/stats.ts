import type { Collections } from '../db/collections.js';
import { createLiveTargets } from '../db/live-targets.js';
import { createProjectStatsStore } from '../db/project-stats.js';
import { createTargetStatsStore } from '../db/target-stats.js';
import type { Clock } from '../domain/clock.js';
import type { TargetStats } from '../domain/stats.js';
import { medianOf } from '../domain/target-stats.js';
import { createInsights } from './stats/insights.js';
import { createHealthReader } from './stats/project-health.js';
import { createVerdictPages } from './stats/page-by-verdict.js';
import { statsOf } from './stats/target-stats.js';

export type StatsServices = ReturnType<typeof createStatsServices>;

/**
 * Numbers of tests, suites and projects: from what the statistics keeper has counted, a few seconds after the runs' ends.
 * Each throws the driver's error when the database does not answer in time.
 */
export function createStatsServices(collections: Collections, clock: Clock) {
  const store = createTargetStatsStore(collections);
  const targets = createLiveTargets(collections);
  const projects = createProjectStatsStore(collections);
  return {
    /** Of each of these tests or suites; one that never had a verdict has no last one. */
    async ofTargets(targetIds: readonly string[]): Promise<Map<string, TargetStats>> {
      const records = new Map((await store.of(targetIds)).map((record) => [record._id, record]));
      return new Map(targetIds.map((id) => [id, statsOf(records.get(id))]));
    },

    /** How long a run of the suite takes, in ms: as its last ones did; undefined when none has passed or failed. */
    async etaOf(suiteId: string): Promise<number | undefined> {
      const [record] = await store.of([suiteId]);
      return record && medianOf(record.recent);
    },

    ofProjects: createHealthReader({ store, targets, projects }),
    pageByVerdict: createVerdictPages({ store, targets }),
    insights: createInsights({ store, targets, projects, clock }),
  };
}
