import type { Request, ServerRoute } from '@hapi/hapi';
import type { Page } from '#src/domain/page.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { ListedRun } from '#src/domain/runs/run.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';
import { runsPath } from './filter.js';
import { RunsPage } from './page.js';
import { withQuery } from '#src/web/http/with-query.js';
import { inProject, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { projectContextOf } from '#src/server/pages/page-context-of.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { runsQuery, listRequestOf, shownFilter, type RunsFilterQuery } from './query.js';

/** How many runs a page shows. */
export const RUNS_LIMIT = 50;

interface Refs {
  Params: { projectId: string };
  Query: RunsFilterQuery & { cursor?: string };
}

/** GET /projects/{id}/runs: the runs of a project, newest first. */
export function runsPageRoute(deps: RouteDeps): ServerRoute {
  const { runs } = deps;
  return pageRoute<Refs>({
    path: '/projects/{projectId}/runs',
    access: inProject('runs.read'),
    query: runsQuery,
    async show(request, page) {
      const { params, query } = request;
      const { cursor, ...filters } = query;
      const now = deps.clock.now();
      const [project, found] = await Promise.all([
        projectOfRuns(deps, request),
        runs.list(principalOf(request), listRequestOf(params.projectId, filters), {
          limit: RUNS_LIMIT,
          cursor,
        }),
      ]);
      const filter = shownFilter(filters);
      return RunsPage({
        page,
        project,
        runs: found,
        filter,
        targetName: found.items[0]?.targetName,
        events: eventsOf(runsPath(project.id, filter, `/projects/${project.id}/runs/events`), found, now),
        now,
      });
    },
  });
}

/** Admins see the runs of a removed project too. */
async function projectOfRuns(deps: RouteDeps, request: Pick<Request, 'app'>): Promise<ProjectContext> {
  const { id, isRemoved } = request.app.project!;
  if (!isRemoved) return openedProject(deps, request);
  return projectContextOf(request, { name: await deps.reader.projectName(id) });
}

/** What changes on a page: its open runs; and on the first one, that there are new runs. */
function eventsOf(path: string, { items, previous }: Page<ListedRun>, now: Date): string | undefined {
  const open = items.filter(({ status }) => !isTerminal(status)).map(({ _id }) => _id);
  const after = previous === undefined ? (items[0]?.queuedAt ?? now).toISOString() : undefined;
  if (open.length === 0 && after === undefined) return undefined;
  const more = withQuery('', { open: open.join(',') || undefined, after }).slice(1);
  return `${path}${path.includes('?') ? '&' : '?'}${more}`;
}
