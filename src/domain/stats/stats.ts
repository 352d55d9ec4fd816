import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { DayCounts } from './project-day.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';
import type { RecentRun } from './target-stats.js';

/* Statistics as pages show them. */

export type LastRun = Omit<RecentRun, 'durationMs'>;

/** The numbers of a test or suite, of its last runs that had a verdict: 20 at most. */
export interface TargetStats {
  last?: LastRun;
  /** From 0 to 1. */
  passRate?: number;
  medianMs?: number;
  /** Oldest first. */
  recent: RecentRun[];
}

export interface RankedTarget {
  targetId: string;
  /** As it is named now. */
  name: string;
  stats: TargetStats;
}

/** How a project is, at a glance. */
export interface ProjectHealth {
  tests: number;
  suites: number;
  /** Tests and suites whose last verdict is `failed` or `error`. */
  failing: number;
  /** Runs that are not over, tests of suites included. */
  openRuns: number;
  /** When its newest run was triggered. */
  lastRunAt?: Date;
}

/** One day (UTC) of a project; of each kind how its runs ended. */
export interface InsightDay extends Record<TargetKind, DayCounts> {
  /** Of the results of its test runs. */
  cases: CaseCounts;
  /** `2026-08-02` */
  day: string;
}

export interface SlowTest {
  targetId: string;
  name: string;
  /** Of its last runs. */
  medianMs: number;
}

export interface FlakyTest {
  targetId: string;
  name: string;
  /** How often its verdict changed on the same revision. */
  flips: number;
}

/** How a project did over some days. */
export interface Insights {
  /** Every day of the range, oldest first; the last one is today. */
  days: InsightDay[];
  /** Tests that ran in the range, the slowest first. */
  slowest: SlowTest[];
  /** The flakiest first. */
  flakiest: FlakyTest[];
}
