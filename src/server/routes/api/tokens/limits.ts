import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { LIMITS, PROJECT_LIMITS, type OwnLimits } from '#src/domain/limits.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { projectParams } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';

const TAG = 'Limits';

const limit = (name: (typeof PROJECT_LIMITS)[number]) => Joi.number().integer().min(1).max(LIMITS[name].max);
const ofAll = (shape: (schema: Joi.NumberSchema) => Joi.Schema) =>
  Joi.object(Object.fromEntries(PROJECT_LIMITS.map((name) => [name, shape(limit(name))])));

const limits = Joi.object({
  effective: ofAll((schema) => schema.required())
    .required()
    .description('The limits in force.'),
  own: ofAll((schema) => schema)
    .required()
    .description('Limits set for this project.'),
  defaults: ofAll((schema) => schema.required())
    .required()
    .description('Limits of projects without limits of their own.'),
});

interface Refs {
  Params: { projectId: string };
  Payload: OwnLimits;
}

/** Limits of a project. */
export function limitRoutes({ tokens }: RouteDeps): ServerRoute[] {
  return [
    apiRoute<Refs>({
      method: 'GET',
      path: '/projects/{projectId}/limits/',
      access: inProject('limits.read'),
      params: projectParams,
      summary: 'Retrieve the limits of a project',
      tag: TAG,
      answers: { 200: { description: 'The limits.', schema: limits } },
      handler: (request) => tokens.limits.read(request.params.projectId),
    }),
    apiRoute<Refs>({
      method: 'PUT',
      path: '/projects/{projectId}/limits/',
      access: inProject('limits.edit'),
      params: projectParams,
      body: ofAll((schema) => schema).description('Limits that are left out have their default.'),
      bodyExample: { tokenTriggersPerMinute: 600, openRuns: 1000 },
      summary: 'Set the limits of a project',
      description: 'For admins. Takes effect on all servers within 5 seconds.',
      tag: TAG,
      answers: { 200: { description: 'The limits.', schema: limits } },
      handler: (request) => tokens.limits.put(callerOf(request), request.params.projectId, request.payload),
    }),
  ];
}
