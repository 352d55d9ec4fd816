import { formatRate } from '#src/web/texts/format.js';
import { noCounts, type DayCounts } from '#src/domain/stats/project-day.js';

/** How many runs had a verdict. */
export function runsOf({ passed, failed, error }: DayCounts): number {
  return passed + failed + error;
}

/** From 0 to 1; undefined without a run. */
export function passRateOf(counts: DayCounts): number | undefined {
  return runsOf(counts) === 0 ? undefined : counts.passed / runsOf(counts);
}

/** How long one run took, in ms; undefined where none came to its end. */
export function averageOf({ passed, failed, durationMs }: DayCounts): number | undefined {
  return passed + failed === 0 ? undefined : Math.round(durationMs / (passed + failed));
}

export function sumOf(all: readonly DayCounts[]): DayCounts {
  const sum = noCounts();
  for (const counts of all) for (const name of Object.keys(sum) as (keyof DayCounts)[]) sum[name] += counts[name];
  return sum;
}

/** The pass rate for people. */
export function passRateText(counts: DayCounts): string {
  const rate = passRateOf(counts);
  return rate === undefined ? '–' : formatRate(rate);
}
