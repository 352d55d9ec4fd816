import type { Request, ServerRoute } from '@hapi/hapi';
import type { Page } from '../../../../domain/page.js';
import { isTerminal } from '../../../../domain/run-status.js';
import type { ListedRun } from '../../../../domain/run.js';
import type { ProjectContext } from '../../../../web/layout/viewer.js';
import { runsPath } from '../../../../web/pages/run-lists/filter.js';
import { RunsPage } from '../../../../web/pages/run-lists/runs-page.js';
import { withQuery } from '../../../../web/with-query.js';
import { inProject, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { openedProject } from '../../../pages/opened-project.js';
import { projectContextOf } from '../../../pages/page-context.js';
import { pageRoute } from '../../../pages/page-route.js';
import { runsQuery, runsWanted, shownFilter, type RunsFilterQuery } from './query.js';

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
        runs.list(principalOf(request), runsWanted(params.projectId, filters), {
          limit: RUNS_LIMIT,
          ...(cursor === undefined ? {} : { cursor }),
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
