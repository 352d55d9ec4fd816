import type { Request, ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { projectContextOf } from '#src/server/pages/page-context-of.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { showSuiteRun, suiteRunQuery, type SuiteRunQuery } from '#src/web/suite-runs/suite-run/route.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';
import { workflowUrl } from '#src/web/runs/workflow-url.js';
import { showTestRun, testRunQuery, type TestRunQuery } from './show-test-run.js';

type Refs = RunParams & { Query: TestRunQuery & SuiteRunQuery };

/** GET /runs/{id}: the page that `webapp_url` leads to, of either kind of run. */
export function runPageRoute(deps: RouteDeps): ServerRoute {
  const { reader } = deps;
  return pageRoute<Refs>({
    path: '/runs/{runId}',
    access: ofAnyRun('runs.read', deps),
    query: { ...testRunQuery, ...suiteRunQuery },
    async show(request: Request<Refs>, page) {
      const found = await reader.find(request.params.runId);
      const { run, projectName } = found;
      const asked = {
        found,
        project: projectContextOf(request, { name: projectName }),
        page,
        query: request.query,
        temporalUrl: workflowUrl(deps, run._id),
      };
      return run.kind === 'suite' ? showSuiteRun(deps, run, asked) : showTestRun(deps, run, asked);
    },
  });
}
