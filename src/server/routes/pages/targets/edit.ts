import type { ServerRoute } from '@hapi/hapi';
import { callerOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { revisionAgain, revisionOf } from '../../../pages/form-revision.js';
import { formRoute } from '../../../pages/form-route.js';
import { openedProject } from '../../../pages/opened-project.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofTarget, type TargetKind, type TargetParams } from './kinds.js';
import { meanwhile, withNameAtField, type TargetForm } from './target-form.js';

/** GET and POST /tests/{id}/edit, or a suite's. */
export function editRoutes<Values>(deps: RouteDeps, kind: TargetKind, form: TargetForm<Values>): ServerRoute[] {
  const service = deps.definitions[`${kind}s`];
  const path = `/${kind}s/{targetId}/edit` as const;
  const access = ofTarget(kind, 'definitions.edit', deps);
  return [
    pageRoute<TargetParams>({
      path,
      access,
      async show(request, page) {
        const there = await service.get(request.params.targetId);
        const edited = { id: there._id, name: there.name, revision: there.revision };
        return form.page({ page, project: await openedProject(deps, request), edited }, await form.valuesOf(there));
      },
    }),
    formRoute<TargetParams>({
      path,
      access,
      maxBytes: form.maxBytes,
      async take(request, sent) {
        const id = request.params.targetId;
        const there = await service.get(id);
        const wanted = form.read(sent, there);
        const changes = { ...emptied(there.definition, wanted), ...wanted };
        const { name } = await withNameAtField(() => service.edit(callerOf(request), id, revisionOf(sent), changes));
        return { goTo: `/${kind}s/${id}`, notice: `“${name}” is saved. Runs under way work on as they began.` };
      },
      async again(request, sent, problem, page) {
        const there = await service.get(request.params.targetId);
        const typed = await form.typed(sent, there.projectId);
        const isLate = problem.statusCode === 412;
        const shown = isLate ? meanwhile(form, typed, await form.valuesOf(there)) : problem;
        const revision = revisionAgain(sent, problem, there.revision);
        const edited = { id: there._id, name: there.name, revision };
        return form.page({ page, project: await openedProject(deps, request), edited, problem: shown }, typed);
      },
    }),
  ];
}

/** What the service makes of fields that were emptied: null, none. */
function emptied(there: object, wanted: object): Record<string, null> {
  const gone = Object.keys(there).filter((name) => !(name in wanted));
  return Object.fromEntries(gone.map((name) => [name, null]));
}
