import type { MetricsSource } from '#src/server/metrics/metrics.js';

/** What the gauges of an idle service read. */
export function aMetricsSource(some: Partial<MetricsSource> = {}): MetricsSource {
  return {
    pendingStarts: async () => ({ pending: 0 }),
    runsByStatus: async () => ({}),
    runners: async () => [],
    ...some,
  };
}
