import type { Request, ServerRoute } from '@hapi/hapi';
import { projectChanges } from '#src/domain/targets/definition-schemas.js';
import { ROUTE_ANSWER_MS, withinAnswerTime } from '#src/services/trigger/within-answer-time.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { ConfirmRemoveProject } from './confirm-remove.js';
import { GeneralPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import type { RefusedForm } from '#src/server/http/form.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { revisionAgain, revisionOf } from '#src/server/pages/form-revision.js';
import { checked } from '#src/server/pages/checked.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

const path = `${SETTINGS}/general` as const;

/** The tab General: name, retention, the project as a file, its removal. */
export function generalRoutes(deps: RouteDeps): ServerRoute[] {
  const { projects, exportProject } = deps.definitions;

  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    again?: { form: Form; problem: RefusedForm },
  ) {
    const project = await openedProject(deps, request);
    const { record } = project;
    const { name, retentionDays, revision, createdAt, slug } = record;
    const fields = again
      ? {
          name: again.form.raw('name'),
          retentionDays: again.form.raw('retentionDays'),
          revision: revisionAgain(again.form, again.problem, revision),
        }
      : { name, retentionDays: retentionDays?.toString() ?? '', revision };
    return GeneralPage({ page, project, fields, createdAt, slug, problem: again?.problem });
  }

  return [
    pageRoute<ProjectParams>({
      path,
      access: inProject('project.read'),
      show: (request, page) => shown(request, page),
    }),

    formRoute<ProjectParams>({
      path,
      access: inProject('project.edit'),
      async take(request, form) {
        const { projectId } = request.params;
        const changes = checked(projectChanges, {
          name: form.raw('name'),
          retentionDays: form.number('retentionDays') ?? null,
        });
        await projects.edit(callerOf(request), projectId, revisionOf(form), changes);
        return { goTo: `/projects/${projectId}/settings/general`, notice: 'Settings saved.' };
      },
      again: (request, form, problem, page) => shown(request, page, { form, problem }),
    }),

    defineRoute<ProjectParams>({
      method: 'GET',
      path: `${SETTINGS}/export`,
      options: { app: { access: inProject('definitions.read') } },
      handler: (request, h) =>
        withinAnswerTime(ROUTE_ANSWER_MS, async () => {
          const { record } = await openedProject(deps, request);
          return h
            .response(await exportProject(record._id))
            .type('application/yaml')
            .header('content-disposition', `attachment; filename="${record.slug}.yaml"`)
            .header('x-content-type-options', 'nosniff');
        }),
    }),

    ...confirmRoutes<ProjectParams>({
      path: `${SETTINGS}/remove`,
      access: inProject('project.remove'),
      async ask(request, page, problem) {
        const project = await openedProject(deps, request);
        const openRuns = await projects.countOpenRuns(project.id);
        return ConfirmRemoveProject({ page, project, openRuns, problem });
      },
      async take(request) {
        const { record } = await openedProject(deps, request);
        await projects.remove(callerOf(request), record._id, '*');
        return { goTo: '/', notice: `The project “${record.name}” is removed. Its open runs are being stopped.` };
      },
    }),
  ];
}
