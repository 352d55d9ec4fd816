import type { MetricsSource } from '#src/server/metrics/metrics.js';

/** The metrics of an idle service. */
export function aMetricsSource(some: Partial<MetricsSource> = {}): MetricsSource {
  return {
    pendingStarts: async () => ({ pending: 0 }),
    runsByStatus: async () => ({}),
    runners: async () => [],
    ...some,
  };
}
