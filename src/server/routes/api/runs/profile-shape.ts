import Joi from 'joi';
import type { Profile } from '../../../../domain/variables.js';
import { moment, uuid } from '../../../api/shapes.js';
import { shownVariables, showVariables } from './variable-shapes.js';

export const PROFILE_TAG = 'Profiles of variables';

/** A profile in answers. */
export const profileShape = Joi.object({
  id: uuid.required(),
  projectId: uuid.required(),
  name: Joi.string().required(),
  isDefault: Joi.boolean().required().description('Its variables reach every run of the project.'),
  variables: shownVariables,
  revision: Joi.number().integer().min(1).required(),
  modified: moment.required(),
});

export const profileName = Joi.string().trim().min(1).max(100);

export const ETAG_HEADER = { ETag: 'The revision, for If-Match.' };

export function showProfile({ _id, projectId, name, isDefault, variables, revision, modifiedAt }: Profile) {
  return {
    id: _id,
    projectId,
    name,
    isDefault,
    variables: showVariables(variables),
    revision,
    modified: modifiedAt.toISOString(),
  };
}
