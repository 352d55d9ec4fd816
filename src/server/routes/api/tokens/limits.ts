import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { LIMITS, PROJECT_LIMITS, type OwnLimits } from '../../../../domain/limits.js';
import { callerOf, inProject } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { projectParams } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';

const TAG = 'Limits';

const limit = (name: (typeof PROJECT_LIMITS)[number]) => Joi.number().integer().min(1).max(LIMITS[name].max);
const ofAll = (shape: (schema: Joi.NumberSchema) => Joi.Schema) =>
  Joi.object(Object.fromEntries(PROJECT_LIMITS.map((name) => [name, shape(limit(name))])));

const limits = Joi.object({
  effective: ofAll((schema) => schema.required())
    .required()
    .description('What holds.'),
  own: ofAll((schema) => schema)
    .required()
    .description('What the project has of its own.'),
  defaults: ofAll((schema) => schema.required())
    .required()
    .description('What holds where a project has none of its own.'),
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
      summary: 'Limits of a project',
      tag: TAG,
      answers: { 200: { description: 'The limits.', schema: limits } },
      handler: (request) => tokens.limits.read(request.params.projectId),
    }),
    apiRoute<Refs>({
      method: 'PUT',
      path: '/projects/{projectId}/limits/',
      access: inProject('limits.edit'),
      params: projectParams,
      body: ofAll((schema) => schema).description('What is left out is as for all projects.'),
      bodyExample: { tokenTriggersPerMinute: 600, openRuns: 1000 },
      summary: 'Sets the limits of a project',
      description: 'For admins. Every server knows them within 5 seconds.',
      tag: TAG,
      answers: { 200: { description: 'The limits.', schema: limits } },
      handler: (request) => tokens.limits.put(callerOf(request), request.params.projectId, request.payload),
    }),
  ];
}
