import type { ServerRoute } from '@hapi/hapi';
import { newProject } from '#src/domain/targets/definition-schemas.js';
import { NewProjectPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { readForm } from '#src/server/forms/read-form.js';
import { numberText, rawText } from '#src/server/forms/text-values.js';

const FIELDS = { name: rawText, retentionDays: numberText };

/** GET and POST /projects/new */
export function newProjectRoutes({ definitions }: RouteDeps): ServerRoute[] {
  return formPages({
    path: '/projects/new',
    access: { right: 'projects.create' },
    show: (_request, page, form) => NewProjectPage({ page, form }),
    async submit(request, form) {
      const input = readForm(form, newProject, FIELDS);
      const { project } = await definitions.projects.create(callerOf(request), input, undefined);
      return {
        goTo: `/projects/${project._id}/tests`,
        notice: `The project “${project.name}” is created, with its own webhook token. Next, create a test.`,
      };
    },
  });
}
