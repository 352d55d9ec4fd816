import type { ServerRoute } from '@hapi/hapi';
import { ConfirmRemoveSchedule } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { ofSchedule, scheduleOf, type ScheduleParams } from '#src/web/schedules/show/route.js';

/** POST /schedules/{id}/pause and /resume */
export function pauseRoutes(deps: RouteDeps): ServerRoute[] {
  const route = (verb: 'pause' | 'resume') =>
    formRoute<ScheduleParams>({
      path: `/schedules/{scheduleId}/${verb}`,
      access: ofSchedule('definitions.edit', deps),
      async take(request) {
        const id = request.params.scheduleId.toLowerCase();
        const paused = verb === 'pause';
        const { name } = await deps.definitions.schedules.edit(callerOf(request), id, '*', { paused });
        return { goTo: `/schedules/${id}`, notice: `“${name}” is ${paused ? 'paused' : 'resumed'}.` };
      },
    });
  return [route('pause'), route('resume')];
}

/** GET and POST /schedules/{id}/remove: asks, and does it. */
export function removeRoutes(deps: RouteDeps): ServerRoute[] {
  return confirmRoutes<ScheduleParams>({
    path: '/schedules/{scheduleId}/remove',
    access: ofSchedule('definitions.edit', deps),
    async ask(request, page, problem) {
      const { _id: id, name } = (await scheduleOf(deps, request)).schedule;
      return ConfirmRemoveSchedule({ page, id, name, problem });
    },
    async take(request) {
      const { _id, name, projectId } = (await scheduleOf(deps, request)).schedule;
      await deps.definitions.schedules.archive(callerOf(request), _id, '*');
      return { goTo: `/projects/${projectId}/schedules`, notice: `The schedule “${name}” is removed.` };
    },
  });
}
