import Joi from 'joi';
import type { RunKind } from '../../../../domain/run.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import type { RouteDeps } from '../../../context.js';
import { KINDS, ofRun, runParams, showStatus, statusShape, TAG, type RunParams } from './kinds.js';

/** Temporal has 5 s to take the request. */
const ANSWER_MS = 9000;

/** POST …/{runId}/stop/. */
export function stopRoute(kind: RunKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'POST',
    path: `${path}{runId}/stop/`,
    access: ofRun(kind, 'runs.stop', deps),
    summary: `Stop a ${one}`,
    description: 'A run that is under way is `stopped` a moment after the answer. One that is over stays as it is.',
    tag: TAG,
    answerMs: ANSWER_MS,
    params: runParams,
    body: Joi.object({}).allow(null),
    answers: { 200: { description: 'The status now.', schema: statusShape } },
    handler: async (request) =>
      showStatus(await deps.runs.stop(callerOf(request), kind, request.params.runId), deps.publicUrl),
  });
}
