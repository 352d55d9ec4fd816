import { MongoBulkWriteError, MongoServerError, type WriteError } from 'mongodb';

const DUPLICATE_KEY = 11000;

/** Whether a single write failed because a document with the same id or unique value exists. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** For the `catch` of a single write: resolves with undefined when a document with the same id or unique value exists. */
export function ignoreDuplicateKey(error: unknown): undefined {
  if (!isDuplicateKey(error)) throw error;
}

/** Upserts again when another process has just created the document. */
export async function upsertOrRetry<T>(upsert: () => Promise<T>): Promise<T> {
  return (await upsert().catch(ignoreDuplicateKey)) ?? upsert();
}

/** Whether a write violated a unique index that includes the field. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  return isDuplicateKey(error) && field in ((error as MongoServerError).keyPattern ?? {});
}

/** Whether one write of a bulk write failed because its document exists. */
export function isDuplicate({ code }: WriteError): boolean {
  return code === DUPLICATE_KEY;
}

/**
 * The failed writes of an unordered bulk write; all others have succeeded.
 * @throws the error itself when it concerns all writes: an unmet write concern or a lost connection, which the driver
 * reports as a bulk write error without any write error
 */
export function failedWrites(error: unknown): WriteError[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const failed = [error.writeErrors].flat();
  if (failed.length === 0) throw error;
  return failed;
}

/** For the `catch` of an unordered bulk write: ignores documents that already exist. */
export function ignoreDuplicateKeys(error: unknown): void {
  if (!failedWrites(error).every(isDuplicate)) throw error;
}
