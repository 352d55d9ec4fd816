import type { ServerRoute } from '@hapi/hapi';
import type { ProjectRight } from '#src/domain/people/rights.js';
import { SchedulePage } from './page.js';
import type { Access } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';

export interface ScheduleParams {
  Params: { scheduleId: string };
}

/** What a page about one schedule asks for: a right in its project. */
export function ofSchedule(right: ProjectRight, { owners }: Pick<RouteDeps, 'owners'>) {
  return { right, project: ({ params }) => owners('schedule', params.scheduleId) } satisfies Access;
}

/** A schedule with what people want to know beside it. @throws NotFoundError */
export async function scheduleOf({ definitions }: Pick<RouteDeps, 'definitions'>, { params }: ScheduleParamsOf) {
  const found = await definitions.schedules.get(params.scheduleId.toLowerCase());
  const [view] = await definitions.scheduleViews.view([found]);
  return view!;
}

interface ScheduleParamsOf {
  params: ScheduleParams['Params'];
}

/** GET /schedules/{id} */
export function showRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<ScheduleParams>({
    path: '/schedules/{scheduleId}',
    access: ofSchedule('definitions.read', deps),
    async show(request, page) {
      const [project, view] = await Promise.all([openedProject(deps, request), scheduleOf(deps, request)]);
      const { runProfileId } = view.schedule.definition;
      const variableSets = runProfileId === undefined ? [] : await deps.runs.variableSets.ofProject(project.id);
      const variableSetName = variableSets.find(({ _id }) => _id === runProfileId)?.name;
      return SchedulePage({ page, project, variableSetName, ...view });
    },
  });
}
