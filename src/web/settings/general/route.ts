import type { ServerRoute } from '@hapi/hapi';
import type { Project } from '#src/domain/records.js';
import { projectChanges } from '#src/domain/targets/definition-schemas.js';
import { ROUTE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';
import { ConfirmRemoveProject } from './confirm-remove.js';
import { GeneralPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { readForm, writeFields } from '#src/server/forms/read-form.js';
import { numberText, rawText } from '#src/server/forms/text-values.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

const path = `${SETTINGS}/general` as const;
const FIELDS = { name: rawText, retentionDays: numberText };

/** The tab General: name, retention, the project as a file, its removal. */
export function generalRoutes(deps: RouteDeps): ServerRoute[] {
  const { projects, exportProject } = deps.definitions;

  return [
    ...formPages<ProjectParams, Project>({
      path,
      access: inProject('project.edit'),
      readAccess: inProject('project.read'),
      load: async (request) => (await openedProject(deps, request)).record,
      values: (_request, existing) => writeFields(FIELDS, existing),
      show: async (request, page, form, { createdAt, slug }) =>
        GeneralPage({ page, project: await openedProject(deps, request), form, createdAt, slug }),
      async submit(request, form, _page, { _id: id }) {
        const { retentionDays = null, ...changes } = readForm(form, projectChanges, FIELDS);
        await projects.edit(callerOf(request), id, form.revision(), { ...changes, retentionDays });
        return { goTo: `/projects/${id}/settings/general`, notice: 'Settings saved.' };
      },
    }),

    defineRoute<ProjectParams>({
      method: 'GET',
      path: `${SETTINGS}/export`,
      options: { app: { access: inProject('definitions.read') } },
      handler: (request, h) =>
        withinResponseTime(ROUTE_RESPONSE_MS, async () => {
          const { record } = await openedProject(deps, request);
          return h
            .response(await exportProject(record._id))
            .type('application/yaml')
            .header('content-disposition', `attachment; filename="${record.slug}.yaml"`)
            .header('x-content-type-options', 'nosniff');
        }),
    }),

    ...formPages<ProjectParams>({
      path: `${SETTINGS}/remove`,
      access: inProject('project.remove'),
      async show(request, page, { problem }) {
        const project = await openedProject(deps, request);
        const openRuns = await projects.countOpenRuns(project.id);
        return ConfirmRemoveProject({ page, project, openRuns, problem });
      },
      async submit(request) {
        const { record } = await openedProject(deps, request);
        await projects.remove(callerOf(request), record._id, '*');
        return { goTo: '/', notice: `The project “${record.name}” is removed. Its open runs are being stopped.` };
      },
    }),
  ];
}
