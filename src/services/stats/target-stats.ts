import type { RecentRun, TargetRecord } from '../../domain/target-stats.js';

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

/** @param record undefined of one that never had a verdict */
export function statsOf(record: TargetRecord | undefined): TargetStats {
  if (!record) return { recent: [] };
  const { passRate, medianMs, recent } = record;
  const { runId, status, endedAt } = recent.at(-1)!;
  return { last: { runId, status, endedAt }, passRate, medianMs, recent };
}
