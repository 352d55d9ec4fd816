import type { Request } from '@hapi/hapi';
import { InvalidInputError } from '../../domain/errors.js';

const FORM = /^[\x20-\x7e]{1,255}$/;

/** The request's Idempotency-Key, if it has one. @throws InvalidInputError when it is malformed */
export function idempotencyKeyOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const key = headers['idempotency-key'] as string | undefined;
  if (key === undefined || FORM.test(key)) return key;
  const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters';
  throw new InvalidInputError(message, { fields: [{ field: 'Idempotency-Key', message }] });
}
