import type { ServerRoute } from '@hapi/hapi';
import { LogPage } from '../../../../web/components/live/log-page.js';
import { TestRunParts } from '../../../../web/components/live/test-run-state.js';
import { placeText } from '../../../../web/log-place.js';
import { renderFragment } from '../../../../web/render-page.js';
import type { LogAddition } from '../../../../services/live/log-tail.js';
import type { RouteDeps } from '../../../context.js';
import { liveRoute } from '../../../live/live-route.js';
import { ofAnyRun, type RunParams } from './access.js';
import { shownArtifacts } from './artifacts.js';
import { shownCases } from './cases.js';
import { workflowUrl } from './workflow-url.js';

/** GET /runs/{runId}/events: a test run as it changes, and its log as it is written. */
export function testRunEventsRoute(deps: RouteDeps): ServerRoute {
  const { reader, runs, streams } = deps;
  return liveRoute<RunParams>(
    {
      path: '/runs/{runId}/events',
      access: ofAnyRun('runs.read', deps),
      source: ({ params: { runId } }) => ({
        topics: [`run:${runId}`],
        async render() {
          const [{ run, projectName }, artifacts] = await Promise.all([
            reader.find(runId),
            shownArtifacts(runs, runId),
          ]);
          if (run.kind === 'suite') return '';
          const cases = await shownCases(runs, run);
          const temporalUrl = workflowUrl(deps, runId);
          return renderFragment(TestRunParts({ run, projectName, temporalUrl, artifacts, cases, now: new Date() }));
        },
        log: { runId, render: logEvent },
      }),
    },
    streams,
  );
}

/** What log.js takes: which lines these are, and what they follow. */
function logEvent({ after, lines }: LogAddition): string {
  return JSON.stringify({
    after: after ? placeText(after) : null,
    html: renderFragment(LogPage({ lines, after, hasEarlier: after !== undefined, hasLater: false })),
  });
}
