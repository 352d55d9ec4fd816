import type { ServerRoute } from '@hapi/hapi';
import { Timeline } from '../../../../web/pages/suite-runs/timeline.js';
import { TimelinePage } from '../../../../web/pages/suite-runs/timeline-page.js';
import type { RouteDeps } from '../../../context.js';
import { projectContextOf } from '../../../pages/page-context.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofAnyRun, type RunParams } from '../runs/access.js';

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
