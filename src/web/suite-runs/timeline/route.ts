import type { ServerRoute } from '@hapi/hapi';
import { Timeline } from './timeline.js';
import { TimelinePage } from './page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { projectContextOf } from '#src/server/pages/page-context-of.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';

/** GET /runs/{id}/timeline: the chart for the page of the suite run, and a page of its own where no script asks for it. */
export function timelineRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<RunParams>({
    path: '/runs/{runId}/timeline',
    access: ofAnyRun('runs.read', deps),
    async show(request, page) {
      const { runId } = request.params;
      const run = await deps.runs.find('suite', runId);
      const slots = await deps.runs.slotsOf(run);
      const timeline = { run, slots, now: deps.clock.now() };
      if (request.headers['hx-request']) return Timeline({ ...timeline, isPart: true });
      const { projectName } = await deps.reader.find(runId);
      const project = projectContextOf(request, { name: projectName });
      return TimelinePage({ page, project, name: run.targetName, ...timeline });
    },
  });
}
