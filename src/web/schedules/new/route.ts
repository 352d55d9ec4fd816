import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import { PreviewPart, ScheduleEditPage, type ScheduleEditProps } from '#src/web/schedules/edit/page.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { uuid } from '#src/server/api/shapes.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { withNameAtField } from '#src/web/targets/form/target-form.js';
import { NEW_VALUES, previewOf, readSchedule, targetNames, typedValues } from '#src/web/schedules/schedule-form.js';

const PATH = '/projects/{projectId}/schedules' as const;
/** The engine's list of zones, and what most servers run in. */
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

type FormProps = Pick<ScheduleEditProps, 'values'> & Partial<Pick<ScheduleEditProps, 'edited' | 'problem'>>;

/** The page of a schedule's form. */
export async function editPage(
  deps: RouteDeps,
  request: Parameters<typeof openedProject>[1],
  page: PageContext & { viewer: Viewer },
  { values, ...rest }: FormProps,
) {
  const project = await openedProject(deps, request);
  const [variableSets, targets] = await Promise.all([
    deps.runs.variableSets.ofProject(project.id),
    targetNames(deps.definitions, project.id),
  ]);
  return ScheduleEditPage({
    page,
    project,
    values,
    variableSets: variableSets.map(({ _id, name }) => ({ id: _id, name })),
    targets,
    timeZones: TIME_ZONES,
    preview: previewOf(values.cron, values.timeZone),
    ...rest,
  });
}

/** GET and POST /projects/{id}/schedules/new; `test` or `suite`: its id. */
export function newScheduleRoutes(deps: RouteDeps): ServerRoute[] {
  const access = inProject('definitions.edit');
  return [
    pageRoute<ProjectParams & { Query: { test?: string; suite?: string } }>({
      path: `${PATH}/new`,
      access,
      query: { test: uuid, suite: uuid },
      async show(request, page) {
        const { test, suite } = request.query;
        const kind = test === undefined ? 'suite' : 'test';
        const id = test ?? suite;
        const names =
          id === undefined ? undefined : await deps.definitions[`${kind}s`].named(request.params.projectId, [id]);
        const target = names?.get(id!) ?? '';
        return editPage(deps, request, page, { values: { ...NEW_VALUES, kind, target } });
      },
    }),
    formRoute<ProjectParams>({
      path: `${PATH}/new`,
      access,
      async take(request, form, page) {
        if (form.raw('step') === 'preview') return editPage(deps, request, page, { values: typedValues(form) });
        const { projectId } = request.params;
        const wanted = await readSchedule(form, projectId, deps.definitions);
        const { document } = await withNameAtField(() =>
          deps.definitions.schedules.create(callerOf(request), projectId, wanted, undefined),
        );
        return { goTo: `/schedules/${document._id}`, notice: `Schedule “${document.name}” created.` };
      },
      again: (request, form, problem, page) => editPage(deps, request, page, { values: typedValues(form), problem }),
    }),
  ];
}

/** GET /projects/{id}/schedules/preview: the next times of what is typed so far, as a part of the form. */
export function previewRoute(): ServerRoute {
  return pageRoute<ProjectParams & { Query: { cron: string; timeZone: string } }>({
    path: `${PATH}/preview`,
    access: inProject('definitions.read'),
    query: { cron: Joi.string().allow('').max(200).default(''), timeZone: Joi.string().allow('').max(60).default('') },
    show: ({ query }) => PreviewPart(previewOf(query.cron, query.timeZone)),
  });
}
