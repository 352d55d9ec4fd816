import Joi from 'joi';
import type { Scope } from '../../domain/rights.js';
import type { WantedApiToken } from '../../services/tokens/api-tokens.js';
import { TOKEN_LIFETIMES, type TypedApiToken } from '../../web/components/api-token-form.js';
import { checked } from './checked.js';
import type { Form } from './form-fields.js';

const DAY_MS = 24 * 3_600_000;

const schema = (scopes: readonly Scope[]) =>
  Joi.object<{ name: string; scopes: Scope[]; lifetime: string }>({
    name: Joi.string().trim().max(200).required().messages({ '*': 'must be a name of 1 to 200 characters' }),
    scopes: Joi.array()
      .items(Joi.string().valid(...scopes))
      .min(1)
      .unique()
      .messages({ 'array.min': 'A token opens at least one of these' }),
    lifetime: Joi.string().valid(...TOKEN_LIFETIMES.map(({ value }) => value)),
  });

/** The form of a new API token as it was typed. */
export function typedApiToken(form: Form): TypedApiToken {
  return { name: form.raw('name'), scopes: form.all('scopes'), lifetime: form.raw('lifetime') };
}

/** The token that a form asks for. @param grantable the scopes to choose from. @throws InvalidInputError */
export function wantedApiToken(form: Form, grantable: readonly Scope[], now = new Date()): WantedApiToken {
  const { name, scopes, lifetime } = checked(schema(grantable), typedApiToken(form));
  return {
    name,
    scopes,
    ...(lifetime === 'never' ? {} : { expiresAt: new Date(now.getTime() + Number(lifetime) * DAY_MS) }),
  };
}
