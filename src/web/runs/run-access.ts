import type { ProjectRight } from '#src/domain/people/rights.js';
import type { Access } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';

export interface RunParams {
  Params: { runId: string };
}

/** The right in the project of the run that the path names, of either kind. */
export function ofAnyRun(
  right: ProjectRight,
  { owners }: Pick<RouteDeps, 'owners'>,
): Extract<Access, { right: ProjectRight; project: unknown }> {
  return { right, project: ({ params }) => owners('run', params.runId) };
}
