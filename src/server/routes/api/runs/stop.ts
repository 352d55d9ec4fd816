import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { KINDS, ofRun, runParams, showStatus, statusShape, TAG, type RunParams } from './kinds.js';

/** Temporal has 5 s to accept the request. */
const ANSWER_MS = 9000;

/** POST …/{runId}/stop/. */
export function stopRoute(kind: TargetKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'POST',
    path: `${path}{runId}/stop/`,
    access: ofRun(kind, 'runs.stop', deps),
    summary: `Stop a ${one}`,
    description:
      'A run in progress becomes `stopped` shortly after the response. A run that has ended does not change.',
    tag: TAG,
    answerMs: ANSWER_MS,
    params: runParams,
    body: Joi.object({}).allow(null),
    answers: { 200: { description: 'The current status.', schema: statusShape } },
    handler: async (request) =>
      showStatus(await deps.runs.stop(callerOf(request), kind, request.params.runId), deps.publicUrl),
  });
}
