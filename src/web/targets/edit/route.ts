import type { ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { ItemService } from '#src/services/targets/target-service.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { revisionAgain, revisionOf } from '#src/server/pages/form-revision.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofTarget, type TargetParams } from '#src/web/targets/target-pages.js';
import { meanwhile, withNameAtField, type TargetForm } from '#src/web/targets/form/target-form.js';

/** GET and POST /tests/{id}/edit, or a suite's. */
export function editRoutes<Definition extends object, Values>(
  deps: RouteDeps,
  kind: TargetKind,
  service: ItemService<Definition>,
  form: TargetForm<Definition, Values>,
): ServerRoute[] {
  const path = `/${kind}s/{targetId}/edit` as const;
  const access = ofTarget(kind, 'definitions.edit', deps);
  return [
    pageRoute<TargetParams>({
      path,
      access,
      async show(request, page) {
        const existing = await service.get(request.params.targetId);
        const edited = { id: existing._id, name: existing.name, revision: existing.revision };
        return form.page({ page, project: await openedProject(deps, request), edited }, await form.valuesOf(existing));
      },
    }),
    formRoute<TargetParams>({
      path,
      access,
      maxBytes: form.maxBytes,
      async take(request, sent) {
        const id = request.params.targetId;
        const existing = await service.get(id);
        const input = form.read(sent, existing);
        const changes = { ...emptied(existing.definition, input), ...input };
        const { name } = await withNameAtField(() => service.edit(callerOf(request), id, revisionOf(sent), changes));
        return { goTo: `/${kind}s/${id}`, notice: `“${name}” is saved. Runs in progress keep the old version.` };
      },
      async again(request, sent, problem, page) {
        const existing = await service.get(request.params.targetId);
        const typed = await form.typed(sent, existing.projectId);
        const isLate = problem.statusCode === 412;
        const shown = isLate ? meanwhile(form, typed, await form.valuesOf(existing)) : problem;
        const revision = revisionAgain(sent, problem, existing.revision);
        const edited = { id: existing._id, name: existing.name, revision };
        return form.page({ page, project: await openedProject(deps, request), edited, problem: shown }, typed);
      },
    }),
  ];
}

/** What the service makes of fields that were emptied: null, none. */
function emptied(existing: object, input: object): Record<string, null> {
  const gone = Object.keys(existing).filter((name) => !(name in input));
  return Object.fromEntries(gone.map((name) => [name, null]));
}
