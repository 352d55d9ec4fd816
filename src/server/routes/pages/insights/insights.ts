import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import { INSIGHT_RANGES, InsightsPage, type InsightRange } from '../../../../web/pages/insights/insights-page.js';
import { callerOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { projectContextOf } from '../../../pages/page-context.js';
import { pageRoute } from '../../../pages/page-route.js';

interface InsightsRefs {
  Params: { projectId: string };
  Query: { days: InsightRange };
}

/** GET /projects/{projectId}/insights?days=30 */
export function insightsRoute({ definitions, stats }: RouteDeps): ServerRoute {
  return pageRoute<InsightsRefs>({
    path: '/projects/{projectId}/insights',
    access: { right: 'runs.read', project: ({ params }) => params.projectId },
    query: {
      days: Joi.number()
        .valid(...INSIGHT_RANGES)
        .default(30),
    },
    async show(request, page) {
      const { projectId } = request.params;
      const { days } = request.query;
      const [{ project }, insights] = await Promise.all([
        definitions.projects.get(callerOf(request), projectId),
        stats.insights(projectId, { days }),
      ]);
      return InsightsPage({ page, project: projectContextOf(request, project), range: days, insights });
    },
  });
}
