import type { TargetStats } from '#src/domain/stats/stats.js';
import type { TargetRecord } from '#src/domain/stats/target-stats.js';

/** The statistics of a target. @param record undefined for a target without a verdict */
export function statsOf(record: TargetRecord | undefined): TargetStats {
  if (!record) return { recent: [] };
  const { passRate, medianMs, recent } = record;
  const { runId, status, endedAt } = recent.at(-1)!;
  return { last: { runId, status, endedAt }, passRate, medianMs, recent };
}
