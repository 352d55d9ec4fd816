import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import type { Changes } from '#src/services/live/change-feed.js';
import { POSITIONS, readPositions } from '#src/web/suite-runs/timeline/positions.js';
import { SuiteUpdate } from './suite-update.js';
import { renderFragment } from '#src/web/http/render-page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { liveRoute } from '#src/server/live/live-route.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';
import { workflowUrl } from '#src/web/runs/workflow-url.js';
import { TESTS_LIMIT } from './route.js';

/** In place of rows: the page has none yet, and shows the first ones as soon as there are some. */
const FIRST = 'first';

/** GET /runs/{id}/suite-events: what changes on the page of a suite run that shows these tests. */
export function suiteEventsRoute(deps: RouteDeps): ServerRoute {
  const { runs, reader, stats, streams } = deps;

  async function update(runId: string, rows: string | undefined, changes: Changes | undefined): Promise<string> {
    const positions = rows === undefined || rows === FIRST ? [] : readPositions(rows, TESTS_LIMIT);
    const changed = changes && !changes.isAll ? new Set(changes.runs.map(({ _id }) => _id)) : undefined;
    const { run: found, projectName } = await reader.find(runId);
    const [run, usualMs, shown, firstTests] = await Promise.all([
      runs.showSuite(runId),
      stats.etaOf(found.targetId),
      positions.length > 0 ? runs.testsAt(runId, positions) : [],
      rows === FIRST ? runs.testsOf(runId, {}, { limit: TESTS_LIMIT }) : undefined,
    ]);
    return renderFragment(
      SuiteUpdate({
        run,
        projectName,
        temporalUrl: workflowUrl(deps, runId),
        usualMs,
        rows: changed ? shown.filter(({ _id }) => changed.has(_id)) : shown,
        firstTests: firstTests?.items.length ? firstTests : undefined,
        withState: !changed || changed.has(runId),
        now: deps.clock.now(),
      }),
    );
  }

  return liveRoute<RunParams & { Query: { rows?: string } }>(
    {
      path: '/runs/{runId}/suite-events',
      access: ofAnyRun('runs.read', deps),
      query: { rows: Joi.string().max(2000).pattern(POSITIONS).allow(FIRST) },
      source: ({ params: { runId }, query: { rows } }) => ({
        topics: [`suite:${runId}`],
        render: (changes) => update(runId, rows, changes),
      }),
    },
    streams,
  );
}
