import Joi from 'joi';
import { PASSWORD_LENGTH } from '#src/domain/people/password.js';
import { ROLES } from '#src/domain/people/rights.js';

/** Fields of people shared by several routes. */

/** A loose check: only sending an email could prove that the address exists. */
export const email = Joi.string()
  .max(254)
  .pattern(/^[^\s@]+@[^\s@]+$/)
  .lowercase()
  .trim()
  .messages({ 'string.pattern.base': '{{#label}} must be an email address' });

/** A password to set; the service checks the rest. */
export const newPassword = Joi.string()
  .max(4 * PASSWORD_LENGTH.max)
  .description(`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, different from the email address.`);

/** A password to verify. */
export const currentPassword = Joi.string().max(4 * PASSWORD_LENGTH.max);

export const role = Joi.string().valid(...ROLES);
