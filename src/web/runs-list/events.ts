import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import type { Changes } from '#src/services/live/change-feed.js';
import { runsPath } from './filter.js';
import { NEW_RUNS_MAX, RunsUpdate, type NewRunsProps } from './runs-update.js';
import { renderFragment } from '#src/web/http/render-page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { liveRoute } from '#src/server/live/live-route.js';
import { RUNS_LIMIT } from './route.js';
import { runsFilters, listRequestOf, shownFilter, type RunsFilterQuery } from './query.js';
import { inProject } from '#src/server/http/route-access.js';

interface EventsQuery extends RunsFilterQuery {
  /** The runs on the page that were not over. */
  open?: string;
  /** When the newest run on the page was queued: later ones are new. Absent: it is not the first page. */
  after?: string;
}

const UUID = '[0-9a-f-]{36}';

/** GET /projects/{id}/runs/events: what changes on a page of a project's runs. */
export function runsEventsRoute({ runs, streams, clock }: RouteDeps): ServerRoute {
  async function newSince(projectId: string, { open: _, after, ...filters }: EventsQuery): Promise<NewRunsProps> {
    const { projectId: __, ...filter } = listRequestOf(projectId, filters);
    const since = new Date(Math.max(Date.parse(after!) + 1, filter.since?.getTime() ?? 0));
    const count = await runs.countOf({ ...filter, projectIds: [projectId], since }, NEW_RUNS_MAX);
    return { count, path: runsPath(projectId, shownFilter(filters)) };
  }

  async function update(projectId: string, query: EventsQuery, changes: Changes | undefined): Promise<string> {
    const open = new Set(query.open?.split(','));
    const isAll = !changes || changes.isAll;
    const rowIds = isAll ? [...open] : changes.runs.map(({ _id }) => _id).filter((id) => open.has(id));
    const mayBeNew = isAll || changes.runs.some(({ _id }) => !open.has(_id));
    const [rows, newRuns] = await Promise.all([
      rowIds.length > 0 ? runs.listed(rowIds, projectId) : [],
      query.after !== undefined && mayBeNew ? newSince(projectId, query) : undefined,
    ]);
    return rows.length > 0 || newRuns ? renderFragment(RunsUpdate({ rows, newRuns, now: clock.now() })) : '';
  }

  return liveRoute<{ Params: { projectId: string }; Query: EventsQuery }>(
    {
      path: '/projects/{projectId}/runs/events',
      access: inProject('runs.read'),
      query: {
        ...runsFilters,
        open: Joi.string().pattern(new RegExp(`^${UUID}(,${UUID}){0,${RUNS_LIMIT - 1}}$`)),
        after: Joi.string().isoDate(),
      },
      source: ({ params: { projectId }, query }) => ({
        topics: [`project:${projectId}`],
        render: (changes) => update(projectId, query, changes),
      }),
    },
    streams,
  );
}
