import type { ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formRoute } from '#src/server/forms/form-route.js';
import { ofItem, type TargetParams } from '#src/server/pages/item-access.js';

/** POST /tests/{id}/run, or a suite's: starts a run and leads to its page. */
export function runRoute(deps: RouteDeps, kind: TargetKind): ServerRoute {
  return formRoute<TargetParams>({
    path: `/${kind}s/{targetId}/run`,
    access: ofItem(kind, 'runs.start', deps),
    async submit(request) {
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
