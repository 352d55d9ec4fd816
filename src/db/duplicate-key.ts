import { MongoBulkWriteError, MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11000;

/** Whether a single write failed because a document with the same id or unique value is there already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** For the `catch` of an unordered bulk write: lets an error pass that only says that some documents are there already. */
export function ignoreDuplicateKeys(error: unknown): void {
  const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  // None at all: the trouble is another one, such as a write concern that was not met.
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
}
