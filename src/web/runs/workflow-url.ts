import type { RouteDeps } from '#src/server/route-deps.js';

/** A run's latest execution in the Temporal UI, where there is one. */
export function workflowUrl({ temporalUi }: Pick<RouteDeps, 'temporalUi'>, runId: string): string | undefined {
  return temporalUi && `${temporalUi.url}/namespaces/${encodeURIComponent(temporalUi.namespace)}/workflows/${runId}`;
}
