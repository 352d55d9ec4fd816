import type { LiveTargets } from '#src/db/targets/live-targets.js';
import type { ProjectStatsStore } from '#src/db/stats/project-stats-store.js';
import type { TargetStatsStore } from '#src/db/stats/target-stats-store.js';
import type { ProjectHealth } from '#src/domain/stats/stats.js';

export interface HealthDeps {
  store: Pick<TargetStatsStore, 'countWith'>;
  targets: Pick<LiveTargets, 'count' | 'archived'>;
  projects: Pick<ProjectStatsStore, 'openRuns' | 'lastRunAt'>;
}

/** Reads the health of projects, with the same number of queries for any number of projects. */
export function createHealthReader({ store, targets, projects }: HealthDeps) {
  return async (projectIds: readonly string[]): Promise<Map<string, ProjectHealth>> => {
    if (projectIds.length === 0) return new Map();
    const failingOf = async () => store.countWith(['failed', 'error'], projectIds, await targets.archived(projectIds));
    const [tests, suites, failing, openRuns, lastRunAt] = await Promise.all([
      targets.count('test', projectIds),
      targets.count('suite', projectIds),
      failingOf(),
      projects.openRuns(projectIds),
      projects.lastRunAt(projectIds),
    ]);
    const healthOf = (id: string): ProjectHealth => ({
      tests: tests.get(id) ?? 0,
      suites: suites.get(id) ?? 0,
      failing: failing.get(id) ?? 0,
      openRuns: openRuns.get(id) ?? 0,
      ...(lastRunAt.has(id) ? { lastRunAt: lastRunAt.get(id)! } : {}),
    });
    return new Map(projectIds.map((id) => [id, healthOf(id)]));
  };
}
