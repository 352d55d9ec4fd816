import type { ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { ConfirmArchive } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { ofItem, type TargetParams } from '#src/server/pages/item-access.js';

/** GET and POST /tests/{id}/archive, or a suite's: asks, and does it. */
export function archiveRoutes(deps: RouteDeps, kind: TargetKind): ServerRoute[] {
  const service = deps.definitions[`${kind}s`];
  return formPages<TargetParams>({
    path: `/${kind}s/{targetId}/archive`,
    access: ofItem(kind, 'definitions.edit', deps),
    async show({ params }, page, { problem }) {
      const { name, projectId } = await service.get(params.targetId);
      return ConfirmArchive({ page, kind, id: params.targetId, name, projectId, problem });
    },
    async submit(request) {
      const { name, projectId, _id } = await service.get(request.params.targetId);
      await service.archive(callerOf(request), _id, '*');
      return { goTo: `/projects/${projectId}/${kind}s`, notice: `The ${kind} “${name}” is archived.` };
    },
  });
}
