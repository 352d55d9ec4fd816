import type { ServerRoute } from '@hapi/hapi';
import { callerOf, inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { formRoute } from '../../../pages/form-route.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { pageRoute } from '../../../pages/page-route.js';
import type { TargetKind } from './kinds.js';
import { withNameAtField, type TargetForm } from './target-form.js';

/** GET and POST /projects/{id}/tests/new, or a suite's. */
export function newRoutes<Values>(deps: RouteDeps, kind: TargetKind, form: TargetForm<Values>): ServerRoute[] {
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
        const wanted = form.read(sent, undefined);
        const { projectId } = request.params;
        const { document } = await withNameAtField(() =>
          deps.definitions[`${kind}s`].create(callerOf(request), projectId, wanted, undefined),
        );
        return {
          goTo: `/${kind}s/${document._id}`,
          notice: `The ${kind} “${document.name}” is made. Run it once to see that it works.`,
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
