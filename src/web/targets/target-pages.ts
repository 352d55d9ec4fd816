import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { ProjectRight } from '#src/domain/people/rights.js';
import type { Access } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';

export interface TargetParams {
  Params: { targetId: string };
}

/** What a page about one test or suite asks for: a right in its project. */
export function ofTarget(kind: TargetKind, right: ProjectRight, { owners }: Pick<RouteDeps, 'owners'>) {
  return { right, project: ({ params }) => owners(kind, params.targetId) } satisfies Access;
}
