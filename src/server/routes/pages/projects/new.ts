import type { ServerRoute } from '@hapi/hapi';
import { newProject } from '../../../../domain/definition-schemas.js';
import { NewProjectPage } from '../../../../web/pages/projects/new-page.js';
import { callerOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { checked } from '../../../pages/checked.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';

const PATH = '/projects/new';
const access = { right: 'projects.create' } as const;

/** GET and POST /projects/new */
export function newProjectRoutes({ definitions }: RouteDeps): ServerRoute[] {
  return [
    pageRoute({ path: PATH, access, show: (_request, page) => NewProjectPage({ page }) }),
    formRoute({
      path: PATH,
      access,
      async take(request, form) {
        const sent = { name: form.text('name'), retentionDays: form.number('retentionDays') };
        const wanted = checked(newProject, sent);
        const { project } = await definitions.projects.create(callerOf(request), wanted, undefined);
        return {
          goTo: `/projects/${project._id}/tests`,
          notice: `The project “${project.name}” is made, with a webhook token of its own. Now it needs a test.`,
        };
      },
      again: (_request, form, problem, page) =>
        NewProjectPage({
          page,
          problem,
          values: { name: form.raw('name'), retentionDays: form.raw('retentionDays') },
        }),
    }),
  ];
}
