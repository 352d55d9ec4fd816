import Joi from 'joi';
import { MAX_VALUE_BYTES, MAX_VARIABLES, VARIABLE_KEY, type Variable } from '#src/domain/variables/variables.js';

const key = Joi.string()
  .pattern(VARIABLE_KEY)
  .required()
  .messages({
    'string.pattern.base':
      '{{#label}} is not a valid variable name: use up to 128 letters, digits and underscores, not starting with a digit; names that start with RUNHOOK_ are reserved',
  })
  .example('BASE_URL');

const value = Joi.string()
  .allow('')
  .max(MAX_VALUE_BYTES, 'utf8')
  // NUL would end the value of an environment variable.
  .pattern(/^[^\x00]*$/)
  .messages({
    'string.max': '{{#label}} must be a string of up to 32,768 bytes',
    'string.pattern.base': '{{#label}} must not contain a NUL character',
  });

const isSecret = Joi.boolean().strict().default(false);

const list = (entry: Joi.ObjectSchema) =>
  Joi.array()
    .items(entry)
    .max(MAX_VARIABLES)
    .unique('key')
    .messages({ 'array.unique': '{{#label}} repeats a key; use each key only once' });

/** Variables of a run. */
export const runVariables = list(Joi.object({ key, value: value.required(), isSecret })).default([]);

/** Variables of a variable set. A secret one without a value (or with null) keeps its value. */
export const variablesOfSet = list(Joi.object({ key, value: value.allow(null), isSecret }));

/** Variables in responses. */
export const shownVariables = Joi.array()
  .items(
    Joi.object({
      key: Joi.string().required(),
      value: Joi.string()
        .allow('', null)
        .required()
        .description('Null for secret variables: their values are never returned.'),
      isSecret: Joi.boolean().required(),
    }),
  )
  .required();

export function showVariables(variables: readonly Variable[]) {
  return variables.map(({ key, isSecret, value = null }) => ({ key, value: isSecret ? null : value, isSecret }));
}
