import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { apiRoute } from '#src/server/api/api-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { KINDS, ofRun, runParams, showStatus, statusShape, TAG, type RunParams } from './kinds.js';
import { showDetails } from './run-details.js';

/** GET /testruns/{runId}/ and /suiteruns/{runId}/: a run with all its details. */
export function showRoute(kind: TargetKind, deps: RouteDeps) {
  const { path, one, details } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'GET',
    path: `${path}{runId}/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `Retrieve a ${one}`,
    tag: TAG,
    params: runParams,
    answers: { 200: { description: 'The run.', schema: details } },
    handler: async ({ params }) =>
      showDetails(await deps.runs.show(kind, params.runId), deps.publicUrl, deps.clock.now()),
  });
}

/** GET …/{runId}/status/: the status of a run. */
export function statusRoute(kind: TargetKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'GET',
    path: `${path}{runId}/status/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `Retrieve the status of a ${one}`,
    tag: TAG,
    params: runParams,
    answers: { 200: { description: 'The current status.', schema: statusShape } },
    handler: async ({ params }) => showStatus(await deps.runs.find(kind, params.runId), deps.publicUrl),
  });
}
