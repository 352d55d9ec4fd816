import type { ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { ItemService } from '#src/services/targets/target-service.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { withNameAtField, type TargetForm } from '#src/web/targets/form/target-form.js';

/** GET and POST /projects/{id}/tests/new, or a suite's. */
export function newRoutes<Definition extends object, Values>(
  deps: RouteDeps,
  kind: TargetKind,
  service: ItemService<Definition>,
  form: TargetForm<Definition, Values>,
): ServerRoute[] {
  const path = `/projects/{projectId}/${kind}s/new` as const;
  const access = inProject('definitions.edit');
  return [
    pageRoute<ProjectParams>({
      path,
      access,
      ...(form.query ? { query: form.query } : {}),
      async show(request, page) {
        const values = await form.valuesOf(undefined, request.query);
        return form.page({ page, project: await openedProject(deps, request) }, values);
      },
    }),
    formRoute<ProjectParams>({
      path,
      access,
      maxBytes: form.maxBytes,
      async take(request, sent) {
        const input = form.read(sent, undefined);
        const { projectId } = request.params;
        const { document } = await withNameAtField(() =>
          service.create(callerOf(request), projectId, input, undefined),
        );
        return {
          goTo: `/${kind}s/${document._id}`,
          notice: `The ${kind} “${document.name}” is created. Run it to check that it works.`,
        };
      },
      async again(request, sent, problem, page) {
        const [project, values] = [
          await openedProject(deps, request),
          await form.typed(sent, request.params.projectId),
        ];
        return form.page({ page, project, problem }, values);
      },
    }),
  ];
}
