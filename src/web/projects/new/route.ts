import type { ServerRoute } from '@hapi/hapi';
import { newProject } from '#src/domain/targets/definition-schemas.js';
import { NewProjectPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';

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
        const input = checked(newProject, sent);
        const { project } = await definitions.projects.create(callerOf(request), input, undefined);
        return {
          goTo: `/projects/${project._id}/tests`,
          notice: `The project “${project.name}” is created, with its own webhook token. Next, create a test.`,
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
