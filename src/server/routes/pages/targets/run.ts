import type { ServerRoute } from '@hapi/hapi';
import { callerOf, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { formRoute } from '../../../pages/form-route.js';
import { ofTarget, type TargetKind, type TargetParams } from './kinds.js';

/** POST /tests/{id}/run, or a suite's: starts a run and leads to its page. */
export function runRoute(deps: RouteDeps, kind: TargetKind): ServerRoute {
  return formRoute<TargetParams>({
    path: `/${kind}s/{targetId}/run`,
    access: ofTarget(kind, 'runs.start', deps),
    async take(request) {
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const { id } = await deps.runs.start(caller, {
        kind,
        projectId: request.app.project!.id,
        targetId: request.params.targetId.toLowerCase(),
        variables: [],
        via: 'api',
      });
      return { goTo: `/runs/${id}` };
    },
  });
}
