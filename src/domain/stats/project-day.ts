import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { casesOf } from '#src/domain/runs/cases-of-run.js';
import { CASE_STATUSES, noCases, type CaseCounts } from '#src/domain/runs/test-case.js';
import { durationOf, isCounted, type EndedRun, type Verdict } from './target-stats.js';

/** Runs of a day by verdict; the duration excludes runs with errors. */
export type DayCounts = Record<Verdict, number> & { durationMs: number };

/** Statistics of one day (UTC) of a project. */
export interface ProjectDay extends Record<TargetKind, DayCounts> {
  /** See idOfDay. */
  _id: string;
  projectId: string;
  /** `2026-08-02` */
  day: string;
  /** Test cases of its runs; absent before the first. */
  cases?: CaseCounts;
  /** Includes every run modified up to this time. */
  mark: Date;
}

/** Sorts by project, then by day. */
export function idOfDay(projectId: string, day: string): string {
  return `${projectId}:${day}`;
}

export function noCounts(): DayCounts {
  return { passed: 0, failed: 0, error: 0, durationMs: 0 };
}

/**
 * The next state of a day's statistics.
 * @param runs of this day; those already counted are skipped
 * @returns undefined when nothing changes
 */
export function addToDay(
  existing: ProjectDay | undefined,
  { projectId, day }: { projectId: string; day: string },
  runs: readonly EndedRun[],
  mark: Date,
): ProjectDay | undefined {
  const added = runs.filter((run) => !isCounted(run, existing?.mark));
  if (added.length === 0) return undefined;
  const next: ProjectDay = {
    _id: idOfDay(projectId, day),
    projectId,
    day,
    test: { ...(existing?.test ?? noCounts()) },
    suite: { ...(existing?.suite ?? noCounts()) },
    ...(existing?.cases ? { cases: { ...existing.cases } } : {}),
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

export function addCases(one: CaseCounts, other: CaseCounts): CaseCounts {
  const sum = noCases();
  for (const status of CASE_STATUSES) sum[status] = one[status] + other[status];
  return sum;
}
