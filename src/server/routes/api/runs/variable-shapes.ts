import Joi from 'joi';
import { MAX_VALUE_BYTES, MAX_VARIABLES, VARIABLE_KEY, type Variable } from '../../../../domain/variables.js';

const key = Joi.string()
  .pattern(VARIABLE_KEY)
  .required()
  .messages({
    'string.pattern.base':
      '{{#label}} is no name for a variable: use up to 128 letters, digits and _, no digit first; RUNHOOK_… is the service’s own',
  })
  .example('BASE_URL');

const value = Joi.string()
  .allow('')
  .max(MAX_VALUE_BYTES, 'utf8')
  // The system ends a value there.
  .pattern(/^[^\x00]*$/)
  .messages({
    'string.max': '{{#label}} must be text of up to 32,768 bytes',
    'string.pattern.base': '{{#label}} must not hold a NUL character',
  });

const isSecret = Joi.boolean().strict().default(false);

const list = (entry: Joi.ObjectSchema) =>
  Joi.array()
    .items(entry)
    .max(MAX_VARIABLES)
    .unique('key')
    .messages({ 'array.unique': '{{#label}} has the key of another one; each key may be there once' });

/** Of one run. */
export const runVariables = list(Joi.object({ key, value: value.required(), isSecret })).default([]);

/** Of a profile: a secret one without a value (or null) stays as it is. */
export const profileVariables = list(Joi.object({ key, value: value.allow(null), isSecret }));

/** As answers show them. */
export const shownVariables = Joi.array()
  .items(
    Joi.object({
      key: Joi.string().required(),
      value: Joi.string().allow('', null).required().description('null of a secret one: it is shown to nobody.'),
      isSecret: Joi.boolean().required(),
    }),
  )
  .required();

export function showVariables(variables: readonly Variable[]) {
  return variables.map(({ key, isSecret, value = null }) => ({ key, value: isSecret ? null : value, isSecret }));
}
