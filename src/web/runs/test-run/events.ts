import type { ServerRoute } from '@hapi/hapi';
import { LogPage } from '#src/web/components/live/log-page.js';
import { TestRunParts } from '#src/web/components/live/test-run-state.js';
import { placeText } from '#src/web/texts/log-place.js';
import { renderFragment } from '#src/web/http/render-page.js';
import type { LogAddition } from '#src/services/live/live-log-tail.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { liveRoute } from '#src/server/live/live-route.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';
import { outcomeOf } from './outcome.js';
import { attemptNumber } from './show-test-run.js';
import { workflowUrl } from '#src/web/runs/workflow-url.js';

/** GET /runs/{runId}/events: a test run as it changes, and its log as it is written. */
export function testRunEventsRoute(deps: RouteDeps): ServerRoute {
  const { reader, runs, streams } = deps;
  return liveRoute<RunParams & { Query: { attempt?: number } }>(
    {
      path: '/runs/{runId}/events',
      access: ofAnyRun('runs.read', deps),
      query: { attempt: attemptNumber },
      source({ params: { runId }, query: { attempt } }) {
        let hasSteps = false;
        return {
          topics: [`run:${runId}`],
          async render() {
            const { run, projectName } = await reader.find(runId);
            if (run.kind === 'suite') return '';
            hasSteps = run.definition.runner !== 'command';
            const temporalUrl = workflowUrl(deps, runId);
            const outcome = await outcomeOf(runs, run, attempt);
            return renderFragment(TestRunParts({ run, projectName, temporalUrl, now: deps.clock.now(), ...outcome }));
          },
          // Its steps are written while nothing else of the run changes; each is in its log too.
          log: { runId, render: logEvent, changesPage: () => hasSteps },
        };
      },
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
