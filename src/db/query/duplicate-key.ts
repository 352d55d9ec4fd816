import { MongoBulkWriteError, MongoServerError, type WriteError } from 'mongodb';

const DUPLICATE_KEY = 11000;

/** Whether a single write failed because a document with the same id or unique value is there already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Whether the value that is taken already is (among others) of this field. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  return isDuplicateKey(error) && field in ((error as MongoServerError).keyPattern ?? {});
}

/** Whether one write of a bulk write failed because its document is there already. */
export function isDuplicate({ code }: WriteError): boolean {
  return code === DUPLICATE_KEY;
}

/**
 * The writes of an unordered bulk write that failed; all others have succeeded.
 * @throws the failure itself when it concerns the whole: a write concern that was not met, or a lost line, which the
 * driver wraps as a bulk write error with no word on any document, and then nothing is known of any
 */
export function failedWrites(error: unknown): WriteError[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const failed = [error.writeErrors].flat();
  if (failed.length === 0) throw error;
  return failed;
}

/** For the `catch` of an unordered bulk write: lets an error pass that only says that some documents are there already. */
export function ignoreDuplicateKeys(error: unknown): void {
  if (!failedWrites(error).every(isDuplicate)) throw error;
}
