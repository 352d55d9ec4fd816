import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { DayCounts } from './project-day.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';
import type { RecentRun } from './target-stats.js';

/* Statistics as pages show them. */

export type LastRun = Omit<RecentRun, 'durationMs'>;

/** Statistics of the last 20 runs of a test or suite that had a verdict. */
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
  /** Current name. */
  name: string;
  stats: TargetStats;
}

export interface ProjectHealth {
  tests: number;
  suites: number;
  /** Tests and suites whose last verdict is `failed` or `error`. */
  failing: number;
  /** Includes test runs of suites. */
  openRuns: number;
  /** Trigger time of its newest run. */
  lastRunAt?: Date;
}

/** One day (UTC) of a project. */
export interface InsightDay extends Record<TargetKind, DayCounts> {
  /** Test cases of its runs. */
  cases: CaseCounts;
  /** `2026-08-02` */
  day: string;
}

export interface SlowTest {
  targetId: string;
  name: string;
  medianMs: number;
}

export interface FlakyTest {
  targetId: string;
  name: string;
  /** How often its verdict changed on the same revision. */
  flips: number;
}

export interface Insights {
  /** Every day of the range, oldest first; the last one is today. */
  days: InsightDay[];
  /** Tests that ran in the range, slowest first. */
  slowest: SlowTest[];
  /** Flakiest first. */
  flakiest: FlakyTest[];
}
