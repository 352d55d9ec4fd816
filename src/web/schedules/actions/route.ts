import type { ServerRoute } from '@hapi/hapi';
import { ConfirmRemoveSchedule } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { formRoute } from '#src/server/forms/form-route.js';
import { ofItem, type ScheduleParams } from '#src/server/pages/item-access.js';
import { scheduleOf } from '#src/web/schedules/show/route.js';

/** POST /schedules/{id}/pause and /resume */
export function pauseRoutes(deps: RouteDeps): ServerRoute[] {
  const route = (verb: 'pause' | 'resume') =>
    formRoute<ScheduleParams>({
      path: `/schedules/{scheduleId}/${verb}`,
      access: ofItem('schedule', 'definitions.edit', deps),
      async submit(request) {
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
  return formPages<ScheduleParams>({
    path: '/schedules/{scheduleId}/remove',
    access: ofItem('schedule', 'definitions.edit', deps),
    async show(request, page, { problem }) {
      const { _id: id, name } = (await scheduleOf(deps, request)).schedule;
      return ConfirmRemoveSchedule({ page, id, name, problem });
    },
    async submit(request) {
      const { _id, name, projectId } = (await scheduleOf(deps, request)).schedule;
      await deps.definitions.schedules.archive(callerOf(request), _id, '*');
      return { goTo: `/projects/${projectId}/schedules`, notice: `The schedule “${name}” is removed.` };
    },
  });
}
