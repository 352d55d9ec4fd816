import Joi from 'joi';
import type { RunKind } from '../../../../domain/run.js';
import { callerOf, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { apiError } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { KINDS, ofRun, runParams, TAG, type RunParams } from './kinds.js';
import { showDetails } from './run-details.js';

interface Refs extends RunParams {
  Payload: { triggeredBy?: 'api' | 'cli' } | null;
}

/** POST …/{runId}/rerun/, and of suite runs /rerun-failed/: a new run like an earlier one. */
export function rerunRoute(kind: RunKind, deps: RouteDeps, onlyFailed = false) {
  const { path, one, details } = KINDS[kind];
  return apiRoute<Refs>({
    method: 'POST',
    path: `${path}{runId}/${onlyFailed ? 'rerun-failed' : 'rerun'}/`,
    access: ofRun(kind, 'runs.start', deps),
    summary: onlyFailed ? 'Run again what did not pass' : `Run a ${one} again`,
    description: onlyFailed
      ? 'A new suite run with only the tests that did not pass, as they are now, with the variables and profile as before.'
      : `The same ${kind} as it is now, with the variables and profile as before.`,
    tag: TAG,
    idempotent: true,
    params: runParams,
    body: Joi.object({ triggeredBy: Joi.string().valid('api', 'cli') }).allow(null),
    answers: {
      200: { description: 'The key was used: its run as it is now.', schema: details },
      201: { description: 'The new run; `rerunOf` names the earlier one.', schema: details },
      409: {
        description: onlyFailed
          ? 'The suite is archived; or the run is not over, or all passed.'
          : `The ${kind} is archived.`,
        schema: apiError,
      },
    },
    async handler(request, h) {
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const wanted = {
        kind,
        runId: request.params.runId,
        via: request.payload?.triggeredBy ?? 'api',
        idempotencyKey: idempotencyKeyOf(request),
      };
      const { id, isNew } = await (onlyFailed
        ? deps.runs.rerunFailed(caller, wanted)
        : deps.runs.rerun(caller, wanted));
      return h.response(showDetails(await deps.runs.show(kind, id), deps.publicUrl)).code(isNew ? 201 : 200);
    },
  });
}
