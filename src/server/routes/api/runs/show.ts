import type { RunKind } from '../../../../domain/run.js';
import { apiRoute } from '../../../api/api-route.js';
import type { RouteDeps } from '../../../context.js';
import { KINDS, ofRun, runParams, showStatus, statusShape, TAG, type RunParams } from './kinds.js';
import { showDetails } from './run-details.js';

/** GET /testruns/{runId}/ and /suiteruns/{runId}/: all that is known of a run. */
export function showRoute(kind: RunKind, deps: RouteDeps) {
  const { path, one, details } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'GET',
    path: `${path}{runId}/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `A ${one}`,
    tag: TAG,
    params: runParams,
    answers: { 200: { description: 'The run as it is now.', schema: details } },
    handler: async ({ params }) => showDetails(await deps.runs.show(kind, params.runId), deps.publicUrl),
  });
}

/** GET …/{runId}/status/: whether it is over. */
export function statusRoute(kind: RunKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'GET',
    path: `${path}{runId}/status/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `Status of a ${one}`,
    tag: TAG,
    params: runParams,
    answers: { 200: { description: 'The status now.', schema: statusShape } },
    handler: async ({ params }) => showStatus(await deps.runs.find(kind, params.runId), deps.publicUrl),
  });
}
