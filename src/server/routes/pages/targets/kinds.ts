import type { ProjectRight } from '../../../../domain/rights.js';
import type { Access } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';

export type TargetKind = 'test' | 'suite';

export interface TargetParams {
  Params: { targetId: string };
}

/** What a page about one test or suite asks for: a right in its project. */
export function ofTarget(kind: TargetKind, right: ProjectRight, { owners }: Pick<RouteDeps, 'owners'>) {
  return { right, project: ({ params }) => owners(kind, params.targetId) } satisfies Access;
}
