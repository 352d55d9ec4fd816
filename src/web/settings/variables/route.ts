import type { ServerRoute } from '@hapi/hapi';
import { VariablesPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formRoute } from '#src/server/forms/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { variableSetOf, type VariableSetParams } from '#src/web/settings/variable-sets/route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

/** The tab Variables: the variable sets of the project, and which one is the default. */
export function variableRoutes(deps: RouteDeps): ServerRoute[] {
  const { variableSets } = deps.runs;
  return [
    pageRoute<ProjectParams>({
      path: `${SETTINGS}/variables`,
      access: inProject('variables.read'),
      async show(request, page) {
        const project = await openedProject(deps, request);
        return VariablesPage({ page, project, variableSets: await variableSets.ofProject(project.id) });
      },
    }),
    formRoute<VariableSetParams>({
      path: `${SETTINGS}/variables/{profileId}/default`,
      access: inProject('variables.edit'),
      async submit(request) {
        const { _id, name, projectId } = await variableSetOf(deps, request.params);
        await variableSets.change(callerOf(request), _id, '*', { isDefault: true });
        return { goTo: `/projects/${projectId}/settings/variables`, notice: `“${name}” is now the default.` };
      },
    }),
  ];
}
