import Joi from 'joi';
import { nameUpTo } from '#src/domain/targets/definition-fields.js';
import type { VariableSet } from '#src/domain/variables/variables.js';
import { moment, uuid } from '#src/server/api/shapes.js';
import { shownVariables, showVariables } from './variable-shapes.js';

export const VARIABLE_SET_TAG = 'Variable sets';

/** A variable set in responses. */
export const variableSetShape = Joi.object({
  id: uuid.required(),
  projectId: uuid.required(),
  name: Joi.string().required(),
  isDefault: Joi.boolean()
    .required()
    .description('Whether this is the default variable set, which applies to every run of the project.'),
  variables: shownVariables,
  revision: Joi.number().integer().min(1).required(),
  modified: moment.required(),
});

export const variableSetName = nameUpTo(100);

export const ETAG_HEADER = { ETag: 'The revision, to send as If-Match.' };

export function showVariableSet({ _id, projectId, name, isDefault, variables, revision, modifiedAt }: VariableSet) {
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
