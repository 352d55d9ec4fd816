import type Joi from 'joi';
import { convertedTexts, NOT_A_TEXT } from '#src/domain/converted.js';

type State = { path: (string | number)[]; localize(path: (string | number)[]): object };

/**
 * A JSON body keeps its types: a string in place of a number or boolean is rejected, in every body alike. Queries
 * and forms contain only strings and are not checked here.
 */
export function withJsonTypes(body: Joi.Schema): Joi.Schema {
  return body.custom(refuseConverted).messages({
    'json.number': `{{#label}} ${NOT_A_TEXT.number}`,
    'json.boolean': `{{#label}} ${NOT_A_TEXT.boolean}`,
  });
}

const refuseConverted: Joi.CustomValidator = (value: unknown, helpers) => {
  const found = convertedTexts(helpers.original, value).next().value;
  if (!found) return value;
  const state = helpers.state as unknown as State;
  const at = state.localize([...state.path, ...found.path]);
  return helpers.error(`json.${found.type}`, {}, at as never);
};
