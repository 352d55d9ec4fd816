import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import type { VariableSet } from '#src/domain/variables/variables.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { callerOf, inProject, principalOf } from '#src/server/http/route-access.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { SETTINGS } from '#src/web/settings/redirect.js';
import { ConfirmRemoveVariableSet } from './confirm-remove.js';
import { VariableSetPage, type VariableSetValues } from './page.js';
import { afterStep, NEW_VALUES, readVariableSet, submittedValues, valuesOf } from './variable-set-form.js';

export interface VariableSetParams {
  Params: { projectId: string; profileId: string };
}

/** Enough for many values of full length. */
const MAX_BYTES = 2 * 1024 * 1024;
const path = `${SETTINGS}/variables` as const;

/** The variable set of an address, if it belongs to the project in it. @throws NotFoundError */
export async function variableSetOf(
  { runs }: Pick<RouteDeps, 'runs'>,
  { projectId, profileId }: VariableSetParams['Params'],
) {
  const variableSet = await runs.variableSets.find(profileId);
  if (variableSet.projectId !== projectId) throw new NotFoundError(RESOURCE_NOT_FOUND);
  return variableSet;
}

/** One variable set: created, edited, removed. */
export function variableSetRoutes(deps: RouteDeps): ServerRoute[] {
  const { variableSets } = deps.runs;
  const done = (projectId: string, notice: string) => ({ goTo: `/projects/${projectId}/settings/variables`, notice });
  const access = inProject('variables.edit');
  return [
    ...formPages<ProjectParams, undefined, VariableSetValues>({
      path: `${path}/new`,
      access,
      maxBytes: MAX_BYTES,
      values: () => NEW_VALUES,
      submitted: submittedValues,
      show: async (request, page, form) => VariableSetPage({ page, form, project: await openedProject(deps, request) }),
      async submit(request, form) {
        const values = afterStep(form);
        if (values) return { values };
        const { projectId } = request.params;
        const caller = { ...callerOf(request), principal: principalOf(request) };
        const { variableSet } = await variableSets.create(caller, projectId, readVariableSet(form), undefined);
        return done(projectId, `Variable set “${variableSet.name}” created.`);
      },
    }),
    ...formPages<VariableSetParams, VariableSet, VariableSetValues>({
      path: `${path}/{profileId}`,
      access,
      readAccess: inProject('variables.read'),
      maxBytes: MAX_BYTES,
      load: ({ params }) => variableSetOf(deps, params),
      values: (_request, existing) => valuesOf(existing),
      submitted: submittedValues,
      async show(request, page, form, { _id: id }) {
        return VariableSetPage({ page, form, id, project: await openedProject(deps, request) });
      },
      async submit(request, form, _page, { _id, projectId }) {
        const values = afterStep(form);
        if (values) return { values };
        const { name } = await variableSets.change(callerOf(request), _id, form.revision(), readVariableSet(form));
        return done(projectId, `Variable set “${name}” saved.`);
      },
    }),
    ...formPages<VariableSetParams>({
      path: `${path}/{profileId}/remove`,
      access,
      async show(request, page, { problem }) {
        const project = await openedProject(deps, request);
        const { _id: id, name, isDefault } = await variableSetOf(deps, request.params);
        return ConfirmRemoveVariableSet({ page, project, id, name, isDefault, problem });
      },
      async submit(request) {
        const { _id, name, projectId } = await variableSetOf(deps, request.params);
        await variableSets.remove(callerOf(request), _id, '*');
        return done(projectId, `Variable set “${name}” removed.`);
      },
    }),
  ];
}
