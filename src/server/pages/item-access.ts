import type { ProjectRight } from '#src/domain/people/rights.js';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { Access } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';

export interface TargetParams {
  Params: { targetId: string };
}

export interface ScheduleParams {
  Params: { scheduleId: string };
}

/** The parameter of a path that identifies a test, suite or schedule. */
export const ID_PARAMS = { test: 'targetId', suite: 'targetId', schedule: 'scheduleId' } as const;

/** The access of a page about a test, suite or schedule: a right in its project. */
export function ofItem(kind: ProjectItemKind, right: ProjectRight, { owners }: Pick<RouteDeps, 'owners'>) {
  return { right, project: ({ params }) => owners(kind, params[ID_PARAMS[kind]]!) } satisfies Access;
}
