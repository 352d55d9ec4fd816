import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import { INSIGHT_RANGES, InsightsPage, type InsightRange } from './page.js';
import { inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';

interface InsightsRefs {
  Params: { projectId: string };
  Query: { days: InsightRange };
}

/** GET /projects/{projectId}/insights?days=30 */
export function insightsRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<InsightsRefs>({
    path: '/projects/{projectId}/insights',
    access: inProject('runs.read'),
    query: {
      days: Joi.number()
        .valid(...INSIGHT_RANGES)
        .default(30),
    },
    async show(request, page) {
      const { projectId } = request.params;
      const { days } = request.query;
      const [project, insights] = await Promise.all([
        openedProject(deps, request),
        deps.stats.insights(projectId, { days }),
      ]);
      return InsightsPage({ page, project, range: days, insights });
    },
  });
}
