import type { ServerRoute } from '@hapi/hapi';
import { SchedulePage } from './page.js';
import { ofItem, type ScheduleParams } from '#src/server/pages/item-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** A schedule with what people want to know beside it. @throws NotFoundError */
export async function scheduleOf(
  { definitions }: Pick<RouteDeps, 'definitions'>,
  { params }: { params: ScheduleParams['Params'] },
) {
  const found = await definitions.schedules.get(params.scheduleId.toLowerCase());
  const [view] = await definitions.scheduleViews.view([found]);
  return view!;
}

/** GET /schedules/{id} */
export function showRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<ScheduleParams>({
    path: '/schedules/{scheduleId}',
    access: ofItem('schedule', 'definitions.read', deps),
    async show(request, page) {
      const [project, view] = await Promise.all([openedProject(deps, request), scheduleOf(deps, request)]);
      const { runProfileId } = view.schedule.definition;
      const variableSets = runProfileId === undefined ? [] : await deps.runs.variableSets.ofProject(project.id);
      const variableSetName = variableSets.find(({ _id }) => _id === runProfileId)?.name;
      return SchedulePage({ page, project, variableSetName, ...view });
    },
  });
}
