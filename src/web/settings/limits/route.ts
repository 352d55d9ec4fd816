import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { wholeNumber } from '#src/domain/targets/definition-fields.js';
import { LIMITS, PROJECT_LIMITS, type OwnLimits } from '#src/domain/limits.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { LimitsPage, type LimitsPageProps } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

const path = `${SETTINGS}/limits` as const;

const limitsForm = Joi.object<OwnLimits>(
  Object.fromEntries(PROJECT_LIMITS.map((name) => [name, wholeNumber(1, LIMITS[name].max)])),
);

/** The tab Limits: shown to all, set by admins. */
export function limitRoutes(deps: RouteDeps): ServerRoute[] {
  const { limits } = deps.tokens;

  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    wrong: Pick<LimitsPageProps, 'typed' | 'problem'> = {},
  ) {
    const project = await openedProject(deps, request);
    return LimitsPage({ page, project, ...(await limits.read(project.id)), ...wrong });
  }

  return [
    pageRoute<ProjectParams>({ path, access: inProject('limits.read'), show: (request, page) => shown(request, page) }),
    formRoute<ProjectParams>({
      path,
      access: inProject('limits.edit'),
      async take(request, form) {
        const { projectId } = request.params;
        const own = checked(limitsForm, Object.fromEntries(PROJECT_LIMITS.map((name) => [name, form.number(name)])));
        // What is left out is undefined in it: of the server.
        const set = Object.entries(own).filter(([, value]) => value !== undefined);
        await limits.put(callerOf(request), projectId, Object.fromEntries(set));
        return { goTo: `/projects/${projectId}/settings/limits`, notice: 'Limits saved.' };
      },
      again: (request, form, problem, page) =>
        shown(request, page, {
          typed: Object.fromEntries(PROJECT_LIMITS.map((name) => [name, form.raw(name)])),
          problem,
        }),
    }),
  ];
}
