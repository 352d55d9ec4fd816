import { createHmac } from 'node:crypto';
import { idOfCreation, randomId } from './ids.js';
import type { Principal } from './people/rights.js';

/** By what a repeat of a creation finds its document, and whether it is one. Goes into the document. */
export interface Creation {
  _id: string;
  /** Of the content, when there was a key. */
  creation?: string;
}

/**
 * The id of what is created with an Idempotency-Key: the same for the same caller, kind of thing and key.
 * @param thing such as `test`; with the id of what it is made in, where that is part of what it is
 */
export function idempotentId({ userId, projectId }: Principal, thing: string, key: string): string {
  return idOfCreation(userId === undefined ? `project ${projectId}` : `user ${userId}`, thing, key);
}

/**
 * How a document is made once, however often its caller repeats himself (see db/insert-once.ts). Without a key each call
 * makes one.
 * @param content what was asked for, as validated. What is kept of it tells nothing to who does not have the key, for some
 *   of it is secret
 */
export function creationOf(principal: Principal, thing: string, key: string | undefined, content: unknown): Creation {
  if (key === undefined) return { _id: randomId() };
  const creation = createHmac('sha256', key).update(canonical(content)).digest('base64url');
  return { _id: idempotentId(principal, thing, key), creation };
}

/** As JSON, whatever the order of the fields. */
function canonical(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
