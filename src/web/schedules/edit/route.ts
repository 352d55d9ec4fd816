import type { ServerRoute } from '@hapi/hapi';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { revisionAgain, revisionOf } from '#src/server/pages/form-revision.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { meanwhile, withNameAtField } from '#src/web/targets/form/target-form.js';
import { editPage } from '#src/web/schedules/new/route.js';
import { readSchedule, SCHEDULE_FORM, typedValues, valuesOf } from '#src/web/schedules/schedule-form.js';
import { ofSchedule, scheduleOf, type ScheduleParams } from '#src/web/schedules/show/route.js';

/** GET and POST /schedules/{id}/edit */
export function editScheduleRoutes(deps: RouteDeps): ServerRoute[] {
  const path = '/schedules/{scheduleId}/edit' as const;
  const access = ofSchedule('definitions.edit', deps);
  return [
    pageRoute<ScheduleParams>({
      path,
      access,
      async show(request, page) {
        const { schedule, target } = await scheduleOf(deps, request);
        const { _id: id, name, revision } = schedule;
        return editPage(deps, request, page, { values: valuesOf(schedule, target), edited: { id, name, revision } });
      },
    }),
    formRoute<ScheduleParams>({
      path,
      access,
      async take(request, form, page) {
        const { schedule } = await scheduleOf(deps, request);
        const { _id: id, projectId, name } = schedule;
        const revision = revisionOf(form);
        if (form.raw('step') === 'preview')
          return editPage(deps, request, page, { values: typedValues(form), edited: { id, name, revision } });
        const wanted = await readSchedule(form, projectId, deps.definitions);
        // What the form leaves out is none.
        const changes = { testId: null, suiteId: null, runProfileId: null, ...wanted };
        const saved = await withNameAtField(() =>
          deps.definitions.schedules.edit(callerOf(request), id, revision, changes),
        );
        return { goTo: `/schedules/${id}`, notice: `“${saved.name}” is saved.` };
      },
      async again(request, form, problem, page) {
        const { schedule, target } = await scheduleOf(deps, request);
        const { _id: id, name } = schedule;
        const values = typedValues(form);
        const isLate = problem.statusCode === 412;
        return editPage(deps, request, page, {
          values,
          edited: { id, name, revision: revisionAgain(form, problem, schedule.revision) },
          problem: isLate ? meanwhile(SCHEDULE_FORM, values, valuesOf(schedule, target)) : problem,
        });
      },
    }),
  ];
}
