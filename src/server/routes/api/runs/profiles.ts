import Joi from 'joi';
import { wholeList } from '../../../../domain/page.js';
import type { GivenProfile } from '../../../../services/runs/profiles.js';
import { callerOf, inProject, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { etagOf } from '../../../api/etag.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer } from '../../../api/paging.js';
import { apiError, listOf, projectParams, wholeListQuery } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ETAG_HEADER, PROFILE_TAG, profileName, profileShape, showProfile } from './profile-shape.js';
import { profileVariables } from './variable-shapes.js';

interface OfProject {
  Params: { projectId: string };
}

/** GET /projects/{projectId}/profiles/. */
export function profilesRoute({ runs, publicUrl }: RouteDeps) {
  return apiRoute<OfProject>({
    method: 'GET',
    query: wholeListQuery,
    path: '/projects/{projectId}/profiles/',
    access: inProject('variables.read'),
    summary: 'List the profiles of variables',
    tag: PROFILE_TAG,
    params: projectParams,
    answers: { 200: { description: 'All of them, by name.', schema: listOf(profileShape) } },
    handler: async (request) =>
      listAnswer(request, publicUrl, wholeList(await runs.profiles.ofProject(request.params.projectId)), showProfile),
  });
}

/** POST /projects/{projectId}/profiles/. */
export function createProfileRoute({ runs }: RouteDeps) {
  return apiRoute<OfProject & { Payload: GivenProfile }>({
    method: 'POST',
    path: '/projects/{projectId}/profiles/',
    access: inProject('variables.edit'),
    summary: 'Make a profile of variables',
    description:
      'One that is made the default takes that place from another. Values of secret ones are never shown again.',
    tag: PROFILE_TAG,
    idempotent: true,
    params: projectParams,
    body: Joi.object({
      name: profileName.required(),
      isDefault: Joi.boolean().strict().default(false),
      variables: profileVariables.default([]),
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
      200: { description: 'The key was used: the profile as it is now.', schema: profileShape, headers: ETAG_HEADER },
      201: { description: 'The profile.', schema: profileShape, headers: ETAG_HEADER },
      409: { description: 'The name is taken.', schema: apiError },
    },
    async handler(request, h) {
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const key = idempotencyKeyOf(request);
      const { profile, isNew } = await runs.profiles.create(caller, request.params.projectId, request.payload, key);
      return h
        .response(showProfile(profile))
        .code(isNew ? 201 : 200)
        .header('etag', etagOf(profile.revision));
    },
  });
}
