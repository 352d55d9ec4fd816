import Joi from 'joi';
import type { ProjectRight } from '../../../../domain/rights.js';
import type { GivenProfile } from '../../../../services/runs/profiles.js';
import { callerOf, type Access } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { etagOf, expectedRevision } from '../../../api/etag.js';
import { apiError, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ETAG_HEADER, PROFILE_TAG, profileName, profileShape, showProfile } from './profile-shape.js';
import { profileVariables } from './variable-shapes.js';

interface OfProfile {
  Params: { profileId: string };
}

const params = Joi.object({ profileId: uuid.required() });
const path = '/profiles/{profileId}/';
const ofProfile = (right: ProjectRight, { owners }: RouteDeps): Access => ({
  right,
  project: ({ params }) => owners('profile', params.profileId),
});

/** GET /profiles/{profileId}/. */
export function profileRoute(deps: RouteDeps) {
  return apiRoute<OfProfile>({
    method: 'GET',
    path,
    access: ofProfile('variables.read', deps),
    summary: 'A profile of variables',
    tag: PROFILE_TAG,
    params,
    answers: { 200: { description: 'The profile.', schema: profileShape, headers: ETAG_HEADER } },
    async handler(request, h) {
      const profile = await deps.runs.profiles.find(request.params.profileId);
      return h.response(showProfile(profile)).header('etag', etagOf(profile.revision));
    },
  });
}

/** PATCH /profiles/{profileId}/. */
export function changeProfileRoute(deps: RouteDeps) {
  return apiRoute<OfProfile & { Payload: Partial<GivenProfile> }>({
    method: 'PATCH',
    path,
    access: ofProfile('variables.edit', deps),
    summary: 'Change a profile of variables',
    description:
      '`variables` takes the place of all that are there; a secret one without a value keeps the value that it has.',
    tag: PROFILE_TAG,
    ifMatch: true,
    params,
    body: Joi.object({
      name: profileName,
      isDefault: Joi.boolean().strict(),
      variables: profileVariables,
    }).min(1),
    bodyExample: { name: 'Staging' },
    answers: {
      200: { description: 'The profile.', schema: profileShape, headers: ETAG_HEADER },
      409: { description: 'The name is taken.', schema: apiError },
    },
    async handler(request, h) {
      const { profileId } = request.params;
      const expected = expectedRevision(request);
      const profile = await deps.runs.profiles.change(callerOf(request), profileId, expected, request.payload);
      return h.response(showProfile(profile)).header('etag', etagOf(profile.revision));
    },
  });
}

/** DELETE /profiles/{profileId}/. */
export function removeProfileRoute(deps: RouteDeps) {
  return apiRoute<OfProfile>({
    method: 'DELETE',
    path,
    access: ofProfile('variables.edit', deps),
    summary: 'Remove a profile of variables',
    description: 'Open runs that use it end as `error`/VARIABLE_SET_MISSING when their turn comes.',
    tag: PROFILE_TAG,
    ifMatch: true,
    params,
    answers: {
      204: { description: 'It is removed.' },
      409: { description: '`in_use`: schedules use it.', schema: apiError },
    },
    async handler(request, h) {
      await deps.runs.profiles.remove(callerOf(request), request.params.profileId, expectedRevision(request));
      return h.response().code(204);
    },
  });
}
