import Joi from 'joi';
import { PASSWORD_LENGTH } from '../../../../domain/password.js';
import { ROLES } from '../../../../domain/rights.js';

/** Fields of people that several calls share. */

/** Any text that could be one: whoever gets it wrong gets no mail. */
export const email = Joi.string()
  .max(254)
  .pattern(/^[^\s@]+@[^\s@]+$/)
  .lowercase()
  .trim()
  .messages({ 'string.pattern.base': '{{#label}} must be an e-mail address' });

export const personName = Joi.string().trim().allow('').max(100);

/** One that somebody chooses; the service checks the rest. */
export const newPassword = Joi.string()
  .max(4 * PASSWORD_LENGTH.max)
  .description(`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, and not the e-mail.`);

/** One that is compared only. */
export const givenPassword = Joi.string().max(4 * PASSWORD_LENGTH.max);

export const role = Joi.string().valid(...ROLES);
