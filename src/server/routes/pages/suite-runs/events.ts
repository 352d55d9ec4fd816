import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import type { Changes } from '../../../../services/live/change-feed.js';
import { POSITIONS, readPositions } from '../../../../web/pages/suite-runs/positions.js';
import { SuiteUpdate } from '../../../../web/pages/suite-runs/suite-update.js';
import { renderFragment } from '../../../../web/render-page.js';
import type { RouteDeps } from '../../../context.js';
import { liveRoute } from '../../../live/live-route.js';
import { ofAnyRun, type RunParams } from '../runs/access.js';
import { TESTS_LIMIT } from './show.js';

/** GET /runs/{id}/suite-events: what changes on the page of a suite run that shows these tests. */
export function suiteEventsRoute(deps: RouteDeps): ServerRoute {
  const { runs, reader, streams } = deps;

  async function update(runId: string, positions: readonly number[], changes: Changes | undefined): Promise<string> {
    const [run, { projectName }] = await Promise.all([runs.showSuite(runId), reader.find(runId)]);
    const now = new Date();
    if (positions.length > 0) {
      const shown = await runs.testsAt(runId, positions);
      const changed = changes && !changes.isAll ? new Set(changes.runs.map(({ _id }) => _id)) : undefined;
      const rows = changed ? shown.filter(({ _id }) => changed.has(_id)) : shown;
      return renderFragment(SuiteUpdate({ run, projectName, rows, now }));
    }
    const first = await runs.testsOf(runId, {}, { limit: TESTS_LIMIT });
    const firstTests = first.items.length > 0 ? first : undefined;
    return renderFragment(SuiteUpdate({ run, projectName, rows: [], firstTests, now }));
  }

  return liveRoute<RunParams & { Query: { rows?: string } }>(
    {
      path: '/runs/{runId}/suite-events',
      access: ofAnyRun('runs.read', deps),
      query: { rows: Joi.string().max(2000).pattern(POSITIONS) },
      source({ params: { runId }, query: { rows = '' } }) {
        const positions = rows === '' ? [] : readPositions(rows, TESTS_LIMIT);
        return { topics: [`suite:${runId}`], render: (changes) => update(runId, positions, changes) };
      },
    },
    streams,
  );
}
