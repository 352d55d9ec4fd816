import type { Request } from '@hapi/hapi';
import { invalidField } from '#src/domain/errors.js';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** The Idempotency-Key of a request, if it has one. @throws InvalidInputError when it is malformed */
export function idempotencyKeyOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const key: unknown = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidField('Idempotency-Key', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
}
