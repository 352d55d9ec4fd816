import type Joi from 'joi';

type State = { path: (string | number)[]; localize(path: (string | number)[]): object };

/**
 * A JSON body keeps its types: JSON has numbers and booleans, so a text in their place is refused, in every body alike. Queries
 * and forms are texts by nature and do not come here.
 */
export function withJsonTypes(body: Joi.Schema): Joi.Schema {
  return body.custom(refuseConverted).messages({
    'json.number': '{{#label}} must be a number, not a text: leave out its quotes',
    'json.boolean': '{{#label}} must be true or false, not a text: leave out its quotes',
  });
}

const refuseConverted: Joi.CustomValidator = (value: unknown, helpers) => {
  const found = findConverted(helpers.original, value, []);
  if (!found) return value;
  const state = helpers.state as unknown as State;
  const at = state.localize([...state.path, ...found.path]);
  return helpers.error(`json.${found.type}`, {}, at as never);
};

/** The first place where validation has made a number or a boolean of a text. */
function findConverted(
  sent: unknown,
  value: unknown,
  path: (string | number)[],
): { path: (string | number)[]; type: 'number' | 'boolean' } | undefined {
  if (typeof sent === 'string')
    return typeof value === 'number' || typeof value === 'boolean'
      ? { path, type: typeof value as 'number' | 'boolean' }
      : undefined;
  if (typeof sent !== 'object' || sent === null || typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(sent)) {
    const key = Array.isArray(sent) ? Number(name) : name;
    const found = findConverted(inner, (value as Record<string | number, unknown>)[key], [...path, key]);
    if (found) return found;
  }
  return undefined;
}
