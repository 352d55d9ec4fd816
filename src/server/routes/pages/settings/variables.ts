import type { ServerRoute } from '@hapi/hapi';
import { VariablesPage } from '../../../../web/pages/settings/variables-page.js';
import { callerOf, inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';
import { profileOf, type ProfileParams } from './profiles.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { SETTINGS } from './settings.js';

/** The tab Variables: the profiles of the project, and which one is the default. */
export function variableRoutes(deps: RouteDeps): ServerRoute[] {
  const { profiles } = deps.runs;
  return [
    pageRoute<ProjectParams>({
      path: `${SETTINGS}/variables`,
      access: inProject('variables.read'),
      async show(request, page) {
        const project = await openedProject(deps, request);
        return VariablesPage({ page, project, profiles: await profiles.ofProject(project.id) });
      },
    }),
    formRoute<ProfileParams>({
      path: `${SETTINGS}/variables/{profileId}/default`,
      access: inProject('variables.edit'),
      async take(request) {
        const { _id, name, projectId } = await profileOf(deps, request.params);
        await profiles.change(callerOf(request), _id, '*', { isDefault: true });
        return { goTo: `/projects/${projectId}/settings/variables`, notice: `“${name}” is the default now.` };
      },
    }),
  ];
}
