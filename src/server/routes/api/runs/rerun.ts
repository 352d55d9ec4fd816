import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { apiError } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { KINDS, ofRun, runParams, TAG, type RunParams } from './kinds.js';
import { showDetails } from './run-details.js';

interface Refs extends RunParams {
  Payload: { triggeredBy?: 'api' | 'cli' } | null;
}

/** POST …/{runId}/rerun/ and, for suite runs, /rerun-failed/: starts a new run like an earlier one. */
export function rerunRoute(kind: TargetKind, deps: RouteDeps, onlyFailed = false) {
  const { path, one, details } = KINDS[kind];
  return apiRoute<Refs>({
    method: 'POST',
    path: `${path}{runId}/${onlyFailed ? 'rerun-failed' : 'rerun'}/`,
    access: ofRun(kind, 'runs.start', deps),
    summary: onlyFailed ? 'Rerun the failed tests of a suite run' : `Rerun a ${one}`,
    description: onlyFailed
      ? 'Starts a new suite run of the tests that did not pass, with their current definitions and the variables and variable set of the original run.'
      : `Starts a new run of the same ${kind}, with its current definition and the variables and variable set of the original run.`,
    tag: TAG,
    idempotent: true,
    params: runParams,
    body: Joi.object({ triggeredBy: Joi.string().valid('api', 'cli') }).allow(null),
    answers: {
      200: { description: 'The run previously started with this Idempotency-Key.', schema: details },
      201: { description: 'The new run; `rerunOf` is the ID of the original run.', schema: details },
      409: {
        description: onlyFailed
          ? 'The suite is archived, the run has not ended, or all its tests passed.'
          : `The ${kind} is archived.`,
        schema: apiError,
      },
    },
    async handler(request, h) {
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const rerunRequest = {
        kind,
        runId: request.params.runId,
        via: request.payload?.triggeredBy ?? 'api',
        idempotencyKey: idempotencyKeyOf(request),
      };
      const { id, isNew } = await (onlyFailed
        ? deps.runs.rerunFailed(caller, rerunRequest)
        : deps.runs.rerun(caller, rerunRequest));
      return h
        .response(showDetails(await deps.runs.show(kind, id), deps.publicUrl, deps.clock.now()))
        .code(isNew ? 201 : 200);
    },
  });
}
