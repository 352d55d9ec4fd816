import Joi from 'joi';
import { name } from '#src/domain/targets/definition-fields.js';
import type { Scope } from '#src/domain/people/rights.js';
import type { NewApiToken } from '#src/services/tokens/api-token-services.js';
import { TOKEN_LIFETIMES } from '#src/web/components/form/api-token-form.js';
import { checked } from './checked.js';
import type { SubmittedForm } from './submitted-form.js';

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

/** The token that a form asks for. @param now by the database's clock. @throws InvalidInputError */
export function readApiToken(form: SubmittedForm, grantable: readonly Scope[], now: Date): NewApiToken {
  const entered = { name: form.raw('name'), scopes: form.all('scopes'), lifetime: form.raw('lifetime') };
  const { lifetime, ...token } = checked(schema(grantable), entered);
  if (lifetime === 'never') return token;
  return { ...token, expiresAt: new Date(now.getTime() + Number(lifetime) * DAY_MS) };
}
