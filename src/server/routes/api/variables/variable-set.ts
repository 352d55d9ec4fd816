import Joi from 'joi';
import type { ProjectRight } from '#src/domain/people/rights.js';
import type { VariableSetInput } from '#src/services/variables/variable-set-services.js';
import { callerOf, type Access } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { etagOf, expectedRevision } from '#src/server/api/etag.js';
import { apiError, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import {
  ETAG_HEADER,
  VARIABLE_SET_TAG,
  variableSetName,
  variableSetShape,
  showVariableSet,
} from './variable-set-shape.js';
import { variablesOfSet } from './variable-shapes.js';

interface OfVariableSet {
  Params: { profileId: string };
}

const params = Joi.object({ profileId: uuid.required() });
const path = '/profiles/{profileId}/';
const ofVariableSet = (right: ProjectRight, { owners }: RouteDeps): Access => ({
  right,
  project: ({ params }) => owners('variableSet', params.profileId),
});

/** GET /profiles/{profileId}/. */
export function variableSetRoute(deps: RouteDeps) {
  return apiRoute<OfVariableSet>({
    method: 'GET',
    path,
    access: ofVariableSet('variables.read', deps),
    summary: 'Retrieve a variable set',
    tag: VARIABLE_SET_TAG,
    params,
    answers: { 200: { description: 'The variable set.', schema: variableSetShape, headers: ETAG_HEADER } },
    async handler(request, h) {
      const variableSet = await deps.runs.variableSets.find(request.params.profileId);
      return h.response(showVariableSet(variableSet)).header('etag', etagOf(variableSet.revision));
    },
  });
}

/** PATCH /profiles/{profileId}/. */
export function changeVariableSetRoute(deps: RouteDeps) {
  return apiRoute<OfVariableSet & { Payload: Partial<VariableSetInput> }>({
    method: 'PATCH',
    path,
    access: ofVariableSet('variables.edit', deps),
    summary: 'Update a variable set',
    description:
      '`variables` replaces all existing variables. A secret variable without a value keeps its current value.',
    tag: VARIABLE_SET_TAG,
    ifMatch: true,
    params,
    body: Joi.object({
      name: variableSetName,
      isDefault: Joi.boolean().strict(),
      variables: variablesOfSet,
    }).min(1),
    bodyExample: { name: 'Staging' },
    answers: {
      200: { description: 'The variable set.', schema: variableSetShape, headers: ETAG_HEADER },
      409: { description: '`name_taken`: the project already has a variable set with this name.', schema: apiError },
    },
    async handler(request, h) {
      const { profileId } = request.params;
      const expected = expectedRevision(request);
      const variableSet = await deps.runs.variableSets.change(callerOf(request), profileId, expected, request.payload);
      return h.response(showVariableSet(variableSet)).header('etag', etagOf(variableSet.revision));
    },
  });
}

/** DELETE /profiles/{profileId}/. */
export function removeVariableSetRoute(deps: RouteDeps) {
  return apiRoute<OfVariableSet>({
    method: 'DELETE',
    path,
    access: ofVariableSet('variables.edit', deps),
    summary: 'Delete a variable set',
    description: 'Queued runs that use it end with status `error` and code VARIABLE_SET_MISSING.',
    tag: VARIABLE_SET_TAG,
    ifMatch: true,
    params,
    answers: {
      204: { description: 'The variable set is deleted.' },
      409: { description: '`in_use`: schedules use the variable set.', schema: apiError },
    },
    async handler(request, h) {
      await deps.runs.variableSets.remove(callerOf(request), request.params.profileId, expectedRevision(request));
      return h.response().code(204);
    },
  });
}
