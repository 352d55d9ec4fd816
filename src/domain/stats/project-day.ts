import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { casesOf } from '#src/domain/runs/cases-of-run.js';
import { CASE_STATUSES, noCases, type CaseCounts } from '#src/domain/runs/test-case.js';
import { durationOf, isCounted, type EndedRun, type Verdict } from './target-stats.js';

/** How the runs of a day ended; durations are of those that were not cut short by an error. */
export type DayCounts = Record<Verdict, number> & { durationMs: number };

/** The numbers of one day (UTC) of a project. */
export interface ProjectDay extends Record<TargetKind, DayCounts> {
  /** See idOfDay. */
  _id: string;
  projectId: string;
  /** `2026-08-02` */
  day: string;
  /** Of the results of its test runs; absent before the first. */
  cases?: CaseCounts;
  /** Runs modified up to here are in it. */
  mark: Date;
}

/** In the order of the days for each project. */
export function idOfDay(projectId: string, day: string): string {
  return `${projectId}:${day}`;
}

export function noCounts(): DayCounts {
  return { passed: 0, failed: 0, error: 0, durationMs: 0 };
}

/**
 * The next state of a day's numbers.
 * @param runs of this day; those that are in the numbers are passed over
 * @returns undefined when nothing changes
 */
export function addToDay(
  there: ProjectDay | undefined,
  { projectId, day }: { projectId: string; day: string },
  runs: readonly EndedRun[],
  mark: Date,
): ProjectDay | undefined {
  const added = runs.filter((run) => !isCounted(run, there?.mark));
  if (added.length === 0) return undefined;
  const next: ProjectDay = {
    _id: idOfDay(projectId, day),
    projectId,
    day,
    test: { ...(there?.test ?? noCounts()) },
    suite: { ...(there?.suite ?? noCounts()) },
    ...(there?.cases ? { cases: { ...there.cases } } : {}),
    mark,
  };
  for (const run of added) {
    const counts = next[run.kind];
    counts[run.status] += 1;
    if (run.status !== 'error') counts.durationMs += durationOf(run);
    const cases = casesOf(run);
    if (cases) next.cases = addCases(next.cases ?? noCases(), cases);
  }
  return next;
}

/** The sum of two counts. */
export function addCases(one: CaseCounts, other: CaseCounts): CaseCounts {
  const sum = noCases();
  for (const status of CASE_STATUSES) sum[status] = one[status] + other[status];
  return sum;
}
