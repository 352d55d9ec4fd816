import type { ServerRoute } from '@hapi/hapi';
import type { FormProblem } from '../../../../web/components/form.js';
import type { PageContext, Viewer } from '../../../../web/layout/viewer.js';
import { ConfirmArchive } from '../../../../web/pages/targets/confirm-archive.js';
import { callerOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofTarget, type TargetKind, type TargetParams } from './kinds.js';

/** GET and POST /tests/{id}/archive, or a suite's: asks, and does it. */
export function archiveRoutes(deps: RouteDeps, kind: TargetKind): ServerRoute[] {
  const service = deps.definitions[`${kind}s`];
  const path = `/${kind}s/{targetId}/archive` as const;
  const access = ofTarget(kind, 'definitions.edit', deps);

  async function ask(id: string, page: PageContext & { viewer: Viewer }, problem?: FormProblem) {
    const { name, projectId } = await service.get(id);
    return ConfirmArchive({ page, kind, id, name, projectId, problem });
  }

  return [
    pageRoute<TargetParams>({ path, access, show: ({ params }, page) => ask(params.targetId, page) }),
    formRoute<TargetParams>({
      path,
      access,
      async take(request) {
        const { name, projectId, _id } = await service.get(request.params.targetId);
        await service.archive(callerOf(request), _id, '*');
        return { goTo: `/projects/${projectId}/${kind}s`, notice: `The ${kind} “${name}” is archived.` };
      },
      again: ({ params }, _form, problem, page) => ask(params.targetId, page, problem),
    }),
  ];
}
