import { createHmac } from 'node:crypto';
import { idOfCreation, randomId } from './ids.js';
import type { Principal } from './people/rights.js';

/** Fields of a document by which a repeated creation is recognized. */
export interface Creation {
  _id: string;
  /** HMAC of the content; absent without an Idempotency-Key. */
  creation?: string;
}

/**
 * The id of a resource created with an Idempotency-Key: the same for the same caller, kind and key.
 * @param kind such as `test`; includes the parent's id where the same key may be used in several parents
 */
export function idempotentId({ userId, projectId }: Principal, kind: string, key: string): string {
  return idOfCreation(userId === undefined ? `project ${projectId}` : `user ${userId}`, kind, key);
}

/**
 * The id and content hash that make a creation idempotent (see insert-once.ts). Without a key each call creates a document.
 * @param content the validated request. Hashed with the key, because it may contain secrets
 */
export function creationOf(principal: Principal, kind: string, key: string | undefined, content: unknown): Creation {
  if (key === undefined) return { _id: randomId() };
  const creation = createHmac('sha256', key).update(canonical(content)).digest('base64url');
  return { _id: idempotentId(principal, kind, key), creation };
}

/** JSON with sorted fields. */
function canonical(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
