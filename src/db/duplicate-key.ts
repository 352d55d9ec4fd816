import { MongoBulkWriteError, MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11000;

/** Whether a single write failed because a document with the same id or unique value is there already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** For the `catch` of an unordered bulk write: lets an error pass that only says that some documents are there already. */
export function ignoreDuplicateKeys(error: unknown): void {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const errors = [error.writeErrors].flat();
  // None at all: the driver wraps a lost line so, and then nothing is known of any document.
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
}
