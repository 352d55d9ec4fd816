import Joi from 'joi';
import { wholeList } from '#src/domain/page.js';
import type { VariableSetInput } from '#src/services/variables/variable-set-services.js';
import { callerOf, inProject, principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { etagOf } from '#src/server/api/etag.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer } from '#src/server/api/paging.js';
import { apiError, listOf, projectParams, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import {
  ETAG_HEADER,
  VARIABLE_SET_TAG,
  variableSetName,
  variableSetShape,
  showVariableSet,
} from './variable-set-shape.js';
import { variablesOfSet } from './variable-shapes.js';

interface OfProject {
  Params: { projectId: string };
}

/** GET /projects/{projectId}/profiles/. */
export function variableSetsRoute({ runs, publicUrl }: RouteDeps) {
  return apiRoute<OfProject>({
    method: 'GET',
    query: wholeListQuery,
    path: '/projects/{projectId}/profiles/',
    access: inProject('variables.read'),
    summary: 'List variable sets',
    tag: VARIABLE_SET_TAG,
    params: projectParams,
    answers: { 200: { description: 'All variable sets, sorted by name.', schema: listOf(variableSetShape) } },
    handler: async (request) =>
      listAnswer(
        request,
        publicUrl,
        wholeList(await runs.variableSets.ofProject(request.params.projectId)),
        showVariableSet,
      ),
  });
}

/** POST /projects/{projectId}/profiles/. */
export function createVariableSetRoute({ runs }: RouteDeps) {
  return apiRoute<OfProject & { Payload: VariableSetInput }>({
    method: 'POST',
    path: '/projects/{projectId}/profiles/',
    access: inProject('variables.edit'),
    summary: 'Create a variable set',
    description:
      'With `isDefault`, it replaces the current default variable set. Values of secret variables are never returned.',
    tag: VARIABLE_SET_TAG,
    idempotent: true,
    params: projectParams,
    body: Joi.object({
      name: variableSetName.required(),
      isDefault: Joi.boolean().strict().default(false),
      variables: variablesOfSet.default([]),
    }),
    bodyExample: {
      name: 'Staging',
      isDefault: true,
      variables: [
        { key: 'BASE_URL', value: 'https://staging.example.com' },
        { key: 'PASSWORD', value: 'correct horse', isSecret: true },
      ],
    },
    answers: {
      200: {
        description: 'The variable set previously created with this Idempotency-Key.',
        schema: variableSetShape,
        headers: ETAG_HEADER,
      },
      201: { description: 'The new variable set.', schema: variableSetShape, headers: ETAG_HEADER },
      409: { description: '`name_taken`: the project already has a variable set with this name.', schema: apiError },
    },
    async handler(request, h) {
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const key = idempotencyKeyOf(request);
      const { variableSet, isNew } = await runs.variableSets.create(
        caller,
        request.params.projectId,
        request.payload,
        key,
      );
      return h
        .response(showVariableSet(variableSet))
        .code(isNew ? 201 : 200)
        .header('etag', etagOf(variableSet.revision));
    },
  });
}
