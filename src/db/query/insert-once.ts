import type { Collection, OptionalUnlessRequiredId } from 'mongodb';
import { IdempotencyConflictError } from '#src/domain/errors.js';
import type { Creation } from '#src/domain/idempotent-creation.js';
import { findDurable } from '#src/db/connection/durable-read.js';
import { isDuplicateKey } from './duplicate-key.js';

/**
 * Inserts a document with the id and hash of `creationOf`; a repeat returns the existing document.
 * @throws IdempotencyConflictError when the key was used with other content; the driver's duplicate-key error when
 *   another unique value is taken
 */
export async function insertOnce<T extends Creation>(
  collection: Collection<T>,
  document: T,
): Promise<{ document: T; isNew: boolean }> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<T>);
    return { document, isNew: true };
  } catch (error) {
    if (!isDuplicateKey(error) || document.creation === undefined) throw error;
    const existing = await findDurable(collection, document._id);
    if (!existing) throw error;
    if (existing.creation !== document.creation)
      throw new IdempotencyConflictError(
        'This Idempotency-Key was already used for a different request. Use a new key.',
      );
    return { document: existing, isNew: false };
  }
}
