import type { Request, ServerRoute } from '@hapi/hapi';
import type { FoundRun } from '../../../../services/read-runs.js';
import type { PageContext, ProjectContext, Viewer } from '../../../../web/layout/viewer.js';
import type { RouteDeps } from '../../../context.js';
import { projectContextOf } from '../../../pages/page-context.js';
import { pageRoute } from '../../../pages/page-route.js';
import { showSuiteRun, suiteRunQuery, type SuiteRunQuery } from '../suite-runs/show.js';
import { ofAnyRun, type RunParams } from './access.js';
import { workflowUrl } from './workflow-url.js';
import { showTestRun, testRunQuery, type TestRunQuery } from './show-test-run.js';

/** What both kinds of run pages are made from. */
export interface RunPageRequest<Query> {
  found: FoundRun;
  project: ProjectContext;
  page: PageContext & { viewer: Viewer };
  query: Query;
  /** The run in the Temporal UI. */
  temporalUrl: string | undefined;
}

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
