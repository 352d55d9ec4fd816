import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { GivenVariable } from '#src/domain/variables/variables.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { apiError, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { KINDS, TAG } from './kinds.js';
import { showDetails } from './run-details.js';
import { runVariables } from '#src/server/routes/api/variables/variable-shapes.js';

interface Body {
  testId: string;
  suiteId: string;
  runProfileId?: string | null;
  variables: GivenVariable[];
  triggeredBy: 'api' | 'cli';
}

/** POST /testruns/ and /suiteruns/: starts a run. */
export function startRoute(kind: TargetKind, deps: RouteDeps) {
  const { path, one, details } = KINDS[kind];
  const field = `${kind}Id` as const;
  return apiRoute<{ Payload: Body }>({
    method: 'POST',
    path,
    access: { right: 'runs.start', projectOfBody: (body: Body) => deps.owners(kind, body[field]) },
    summary: `Start a ${one}`,
    description:
      'When the response is sent, the run is recorded and will start. Variables in the request override those of variable sets.',
    tag: TAG,
    idempotent: true,
    body: Joi.object({
      [field]: uuid.required(),
      runProfileId: uuid
        .allow(null)
        .description('The ID of a variable set to use in addition to the project’s default one.'),
      variables: runVariables,
      triggeredBy: Joi.string().valid('api', 'cli').default('api'),
    }),
    bodyExample: {
      [field]: '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11',
      variables: [{ key: 'BASE_URL', value: 'https://staging.example.com' }],
    },
    answers: {
      200: { description: 'The run previously started with this Idempotency-Key.', schema: details },
      201: { description: 'The new run.', schema: details },
      409: { description: `The ${kind} is archived.`, schema: apiError },
    },
    async handler(request, h) {
      const { payload } = request;
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const { id, isNew } = await deps.runs.start(caller, {
        kind,
        projectId: (await deps.owners(kind, payload[field]))!,
        targetId: payload[field],
        variableSetId: payload.runProfileId ?? undefined,
        variables: payload.variables,
        via: payload.triggeredBy,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return h
        .response(showDetails(await deps.runs.show(kind, id), deps.publicUrl, deps.clock.now()))
        .code(isNew ? 201 : 200);
    },
  });
}
