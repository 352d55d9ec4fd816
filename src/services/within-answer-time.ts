import { MongoError } from 'mongodb';
import { UnavailableError } from '../domain/errors.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * Runs reads for somebody who waits for the answer: whatever the database does, it is over within `ms`.
 * @param ms milliseconds
 * @throws UnavailableError when the database is away or slow, else what `step` throws
 */
export async function withinAnswerTime<T>(ms: number, step: () => Promise<T>): Promise<T> {
  const unavailable = (cause?: unknown) =>
    new UnavailableError('The database is not available. Try again.', RETRY_AFTER_SECONDS, { cause });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([step(), late]);
  } catch (error) {
    throw error instanceof MongoError ? unavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}
