import { MongoError } from 'mongodb';
import { ExpiredError } from '#src/db/query/coalesce.js';
import { UnavailableError } from '#src/domain/errors.js';

/** What a service takes at most, in ms. */
export const SERVICE_RESPONSE_MS = 4500;

/** What a route takes at most, in ms: later than its services, so that what they say is heard. */
export const ROUTE_RESPONSE_MS = 5000;

const RETRY_AFTER_SECONDS = 5;

/**
 * Runs a step for somebody who waits for the answer: whatever the database does, it is over within `ms`.
 * @param ms milliseconds
 * @param step gets the moment (performance.now(), ms) after which its answer is of no use
 * @throws UnavailableError when the database is away or slow, else what `step` throws
 */
export async function withinResponseTime<T>(ms: number, step: (expiresAt: number) => Promise<T>): Promise<T> {
  const unavailable = (cause?: unknown) =>
    new UnavailableError('The database is unavailable. Try again.', RETRY_AFTER_SECONDS, {
      cause,
      dependency: 'database',
    });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`no response within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([step(performance.now() + ms), late]);
  } catch (error) {
    throw isTrouble(error) ? unavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The driver lets a socket's own error through when the connection is lost while a large write waits for room. */
function isTrouble(error: unknown): boolean {
  const isOfSocket = error instanceof Error && 'syscall' in error;
  return error instanceof MongoError || error instanceof ExpiredError || isOfSocket;
}
