import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { wholeNumber } from '#src/domain/targets/definition-fields.js';
import { LIMITS, PROJECT_LIMITS, type OwnLimits } from '#src/domain/limits.js';
import { LimitsPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { readForm, writeFields } from '#src/server/forms/read-form.js';
import { numberText } from '#src/server/forms/text-values.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

const path = `${SETTINGS}/limits` as const;

const limitsForm = Joi.object<OwnLimits>(
  Object.fromEntries(PROJECT_LIMITS.map((name) => [name, wholeNumber(1, LIMITS[name].max)])),
);
const FIELDS = Object.fromEntries(PROJECT_LIMITS.map((name) => [name, numberText]));

/** The tab Limits: shown to all, set by admins. */
export function limitRoutes(deps: RouteDeps): ServerRoute[] {
  const { limits } = deps.tokens;
  return formPages<ProjectParams>({
    path,
    access: inProject('limits.edit'),
    readAccess: inProject('limits.read'),
    values: async ({ params }) => writeFields(FIELDS, (await limits.read(params.projectId)).own),
    async show(request, page, form) {
      const project = await openedProject(deps, request);
      return LimitsPage({ page, project, form, ...(await limits.read(project.id)) });
    },
    async submit(request, form) {
      const { projectId } = request.params;
      await limits.put(callerOf(request), projectId, readForm(form, limitsForm, FIELDS));
      return { goTo: `/projects/${projectId}/settings/limits`, notice: 'Limits saved.' };
    },
  });
}
