import Joi from 'joi';
import { SCOPES, type Scope } from '../../domain/rights.js';
import type { WantedApiToken } from '../../services/tokens/api-tokens.js';
import { TOKEN_LIFETIMES, type TypedApiToken } from '../../web/components/api-token-form.js';
import { checked } from './checked.js';
import type { Form } from './form-fields.js';

const DAY_MS = 24 * 3_600_000;

const schema = Joi.object<{ name: string; scopes: Scope[]; lifetime: string }>({
  name: Joi.string().trim().max(200).required().messages({ '*': 'must be a name of 1 to 200 characters' }),
  scopes: Joi.array()
    .items(Joi.string().valid(...SCOPES))
    .min(1)
    .unique()
    .messages({ 'array.min': 'A token opens at least one of these' }),
  lifetime: Joi.string().valid(...TOKEN_LIFETIMES.map(({ value }) => value)),
});

/** The form of a new API token as it was typed. */
export function typedApiToken(form: Form): TypedApiToken {
  return { name: form.raw('name'), scopes: form.all('scopes'), lifetime: form.raw('lifetime') };
}

/** The token that a form asks for. @throws InvalidInputError */
export function wantedApiToken(form: Form, now = new Date()): WantedApiToken {
  const { name, scopes, lifetime } = checked(schema, typedApiToken(form));
  return {
    name,
    scopes,
    ...(lifetime === 'never' ? {} : { expiresAt: new Date(now.getTime() + Number(lifetime) * DAY_MS) }),
  };
}
