import type { ServerRoute } from '@hapi/hapi';
import { RunPage } from '../../web/pages/run-page.js';
import { defineRoute, type RouteDeps } from '../context.js';
import { pageResponse } from '../page-response.js';
import { pageContextOf } from '../pages/page-context.js';

interface RunPageRefs {
  Params: { runId: string };
  Query: { refresh?: string };
}

/** GET /runs/{id}: the page that `webapp_url` leads to. */
export function runPageRoute({ reader, owners, temporalUi }: RouteDeps): ServerRoute {
  return defineRoute<RunPageRefs>({
    method: 'GET',
    path: '/runs/{runId}',
    options: { app: { access: { right: 'runs.read', project: ({ params }) => owners('run', params.runId) } } },
    async handler(request, h) {
      const details = await reader.details(request.params.runId);
      const page = RunPage({
        ...details,
        temporalUrl: temporalUi && workflowUrl(temporalUi, details.run._id),
        now: new Date(),
        page: pageContextOf(request),
        isPaused: request.query.refresh === 'off',
      });
      return pageResponse(h, page);
    },
  });
}

/** The UI's latest execution of a workflow ID. */
function workflowUrl({ url, namespace }: NonNullable<RouteDeps['temporalUi']>, runId: string): string {
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${runId}`;
}
