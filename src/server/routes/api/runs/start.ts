import Joi from 'joi';
import type { RunKind } from '../../../../domain/run.js';
import type { GivenVariable } from '../../../../domain/variables.js';
import { callerOf, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { apiError, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { KINDS, TAG } from './kinds.js';
import { showDetails } from './run-details.js';
import { runVariables } from './variable-shapes.js';

interface Body {
  testId: string;
  suiteId: string;
  runProfileId?: string | null;
  variables: GivenVariable[];
  triggeredBy: 'api' | 'cli';
}

/** POST /testruns/ and /suiteruns/: starts a run. */
export function startRoute(kind: RunKind, deps: RouteDeps) {
  const { path, one, details } = KINDS[kind];
  const field = `${kind}Id` as const;
  return apiRoute<{ Payload: Body }>({
    method: 'POST',
    path,
    access: { right: 'runs.start', projectOfBody: (body: Body) => deps.owners(kind, body[field]) },
    summary: `Start a ${one}`,
    description: 'It is on record, and starts, once this is answered. Its own variables override those of profiles.',
    tag: TAG,
    idempotent: true,
    body: Joi.object({
      [field]: uuid.required(),
      runProfileId: uuid.allow(null).description('A profile of variables, beside the project’s default one.'),
      variables: runVariables,
      triggeredBy: Joi.string().valid('api', 'cli').default('api'),
    }),
    bodyExample: {
      [field]: '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11',
      variables: [{ key: 'BASE_URL', value: 'https://staging.example.com' }],
    },
    answers: {
      200: { description: 'The key was used: its run as it is now.', schema: details },
      201: { description: 'The run.', schema: details },
      409: { description: `The ${kind} is archived.`, schema: apiError },
    },
    async handler(request, h) {
      const { payload } = request;
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const { id, isNew } = await deps.runs.start(caller, {
        kind,
        projectId: (await deps.owners(kind, payload[field]))!,
        targetId: payload[field],
        profileId: payload.runProfileId ?? undefined,
        variables: payload.variables,
        via: payload.triggeredBy,
        idempotencyKey: idempotencyKeyOf(request),
      });
      return h.response(showDetails(await deps.runs.show(kind, id), deps.publicUrl)).code(isNew ? 201 : 200);
    },
  });
}
