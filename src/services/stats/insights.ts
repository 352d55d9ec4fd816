import type { LiveTargets } from '#src/db/targets/live-targets.js';
import type { ProjectStatsStore } from '#src/db/stats/project-stats-store.js';
import type { TargetStatsStore } from '#src/db/stats/target-stats-store.js';
import type { Clock } from '#src/domain/clock.js';
import { noCounts } from '#src/domain/stats/project-day.js';
import type { Insights } from '#src/domain/stats/stats.js';
import { noCases } from '#src/domain/runs/test-case.js';
import { dayOf } from '#src/domain/stats/target-stats.js';

const DAY_MS = 24 * 3_600_000;
const TOP = 10;

export interface InsightsDeps {
  store: Pick<TargetStatsStore, 'slowest' | 'flakiest'>;
  targets: Pick<LiveTargets, 'archived' | 'names'>;
  projects: Pick<ProjectStatsStore, 'days'>;
  /** The clock that dates the ends of runs. */
  clock: Clock;
}

/** Reads the insights of a project with five queries for any range. */
export function createInsights({ store, targets, projects, clock }: InsightsDeps) {
  return async (projectId: string, { days }: { days: number }, now = clock.now()): Promise<Insights> => {
    const range = Array.from({ length: days }, (_, back) =>
      dayOf(new Date(now.getTime() - (days - 1 - back) * DAY_MS)),
    );
    const [from, to] = [range[0]!, range.at(-1)!];
    const [found, except] = await Promise.all([projects.days(projectId, from, to), targets.archived([projectId])]);
    const [slow, flaky] = await Promise.all([
      store.slowest(projectId, from, except, TOP),
      store.flakiest(projectId, from, except, TOP),
    ]);
    const names = await targets.names(
      'test',
      [...slow, ...flaky].map(({ _id }) => _id),
    );
    const ranked = (_id: string) => ({ targetId: _id, name: names.get(_id) ?? _id });
    const byDay = new Map(found.map((day) => [day.day, day]));
    return {
      days: range.map((day) => {
        const { test = noCounts(), suite = noCounts(), cases = noCases() } = byDay.get(day) ?? {};
        return { day, test, suite, cases };
      }),
      slowest: slow.map(({ _id, medianMs }) => ({ ...ranked(_id), medianMs })),
      flakiest: flaky.map(({ _id, flips }) => ({ ...ranked(_id), flips })),
    };
  };
}
