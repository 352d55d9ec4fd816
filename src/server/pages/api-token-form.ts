import Joi from 'joi';
import { name } from '#src/domain/targets/definition-fields.js';
import type { Scope } from '#src/domain/people/rights.js';
import type { WantedApiToken } from '#src/services/tokens/api-token-services.js';
import { TOKEN_LIFETIMES, type TypedApiToken } from '#src/web/components/form/api-token-form.js';
import { checked } from './checked.js';
import type { Form } from './form-fields.js';

const DAY_MS = 24 * 3_600_000;

const schema = (scopes: readonly Scope[]) =>
  Joi.object<{ name: string; scopes: Scope[]; lifetime: string }>({
    name: name.required(),
    scopes: Joi.array()
      .items(Joi.string().valid(...scopes))
      .min(1)
      .unique()
      .messages({ 'array.min': 'Select at least one scope' }),
    lifetime: Joi.string().valid(...TOKEN_LIFETIMES.map(({ value }) => value)),
  });

/** The form of a new API token as it was typed. */
export function typedApiToken(form: Form): TypedApiToken {
  return { name: form.raw('name'), scopes: form.all('scopes'), lifetime: form.raw('lifetime') };
}

/** The token that a form asks for. @param grantable the scopes to choose from. @param now by the database's clock. @throws InvalidInputError */
export function wantedApiToken(form: Form, grantable: readonly Scope[], now: Date): WantedApiToken {
  const { lifetime, ...wanted } = checked(schema(grantable), typedApiToken(form));
  return {
    ...wanted,
    ...(lifetime === 'never' ? {} : { expiresAt: new Date(now.getTime() + Number(lifetime) * DAY_MS) }),
  };
}
