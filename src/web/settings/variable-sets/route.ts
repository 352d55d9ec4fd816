import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { NOTHING_HERE } from '#src/services/access/access-control.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { ConfirmRemoveVariableSet } from './confirm-remove.js';
import { VariableSetPage, type VariableSetFields } from './page.js';
import { callerOf, inProject, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import { formRoute, type FormRoute } from '#src/server/pages/form-route.js';
import { revisionAgain, revisionOf } from '#src/server/pages/form-revision.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import {
  afterStep,
  EMPTY_ROW,
  fieldsOf,
  typedVariableSet,
  wantedVariableSet,
} from '#src/server/pages/variable-set-form.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

export interface VariableSetParams {
  Params: { projectId: string; profileId: string };
}

/** As many values of full length as a form reasonably has. */
const MAX_BYTES = 2 * 1024 * 1024;
const path = `${SETTINGS}/variables` as const;

/** The variable set of an address, of the project in it. @throws NotFoundError */
export async function variableSetOf(
  { runs }: Pick<RouteDeps, 'runs'>,
  { projectId, profileId }: VariableSetParams['Params'],
) {
  const variableSet = await runs.variableSets.find(profileId);
  if (variableSet.projectId !== projectId) throw new NotFoundError(NOTHING_HERE);
  return variableSet;
}

/** One variable set: made, changed, removed. */
export function variableSetRoutes(deps: RouteDeps): ServerRoute[] {
  const { variableSets } = deps.runs;
  const goTo = (projectId: string) => `/projects/${projectId}/settings/variables`;

  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    fields: VariableSetFields,
    more: { id?: string; problem?: FormProblem } = {},
  ) {
    const project = await openedProject(deps, request);
    return VariableSetPage({ page, project, fields, ...more });
  }

  const makeForm: FormRoute<ProjectParams> = {
    path: `${path}/new`,
    access: inProject('variables.edit'),
    maxBytes: MAX_BYTES,
    async take(request, form, page) {
      const stepped = afterStep(form);
      if (stepped) return shown(request, page, stepped);
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const { projectId } = request.params;
      const wanted = wantedVariableSet(typedVariableSet(form));
      await variableSets.create(caller, projectId, wanted, undefined);
      return { goTo: goTo(projectId), notice: `Variable set “${wanted.name}” created.` };
    },
    again: (request, form, problem, page) => shown(request, page, typedVariableSet(form), { problem }),
  };

  const changeForm: FormRoute<VariableSetParams> = {
    path: `${path}/{profileId}`,
    access: inProject('variables.edit'),
    maxBytes: MAX_BYTES,
    async take(request, form, page) {
      const { _id: id, projectId } = await variableSetOf(deps, request.params);
      const stepped = afterStep(form);
      if (stepped) return shown(request, page, stepped, { id });
      const typed = typedVariableSet(form);
      const wanted = wantedVariableSet(typed);
      await variableSets.change(callerOf(request), id, revisionOf(form), wanted);
      return { goTo: goTo(projectId), notice: `Variable set “${wanted.name}” saved.` };
    },
    async again(request, form, problem, page) {
      const { _id: id, revision: current } = await variableSetOf(deps, request.params);
      const revision = revisionAgain(form, problem, current);
      return shown(request, page, { ...typedVariableSet(form), revision }, { id, problem });
    },
  };

  return [
    pageRoute<ProjectParams>({
      path: `${path}/new`,
      access: inProject('variables.edit'),
      show: (request, page) =>
        shown(request, page, { name: '', isDefault: false, variables: [EMPTY_ROW], revision: 0 }),
    }),
    formRoute(makeForm),
    pageRoute<VariableSetParams>({
      path: `${path}/{profileId}`,
      access: inProject('variables.read'),
      async show(request, page) {
        const variableSet = await variableSetOf(deps, request.params);
        return shown(request, page, fieldsOf(variableSet), { id: variableSet._id });
      },
    }),
    formRoute(changeForm),
    ...confirmRoutes<VariableSetParams>({
      path: `${path}/{profileId}/remove`,
      access: inProject('variables.edit'),
      async ask(request, page, problem) {
        const project = await openedProject(deps, request);
        const { _id: id, name, isDefault } = await variableSetOf(deps, request.params);
        return ConfirmRemoveVariableSet({ page, project, id, name, isDefault, problem });
      },
      async take(request) {
        const { _id, name, projectId } = await variableSetOf(deps, request.params);
        await variableSets.remove(callerOf(request), _id, '*');
        return { goTo: goTo(projectId), notice: `Variable set “${name}” removed.` };
      },
    }),
  ];
}
