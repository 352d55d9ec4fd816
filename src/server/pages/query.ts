import type { RouteOptionsValidate } from '@hapi/hapi';
import Joi from 'joi';
import { InvalidInputError } from '#src/domain/errors.js';

/** Checks the query of a page: fields that it does not know are left out, a malformed one is refused. */
export function checkedQuery(fields: Joi.SchemaMap): RouteOptionsValidate {
  return { query: Joi.object(fields), options: { stripUnknown: true }, failAction: refuse };
}

function refuse(_request: unknown, _h: unknown, error?: Error): never {
  throw new InvalidInputError(error?.message ?? 'The URL is invalid.');
}
