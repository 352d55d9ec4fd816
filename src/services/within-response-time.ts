import { MongoError } from 'mongodb';
import { ExpiredError } from '#src/db/query/coalesce.js';
import { UnavailableError } from '#src/domain/errors.js';

/** Deadline of a service, in ms. */
export const SERVICE_RESPONSE_MS = 4500;

/** Deadline of a route, in ms: later than that of its services, so that their errors are returned. */
export const ROUTE_RESPONSE_MS = 5000;

const RETRY_AFTER_SECONDS = 5;

/**
 * Runs a step of a request with a deadline, even if the database does not respond.
 * @param ms milliseconds
 * @param step receives the deadline (performance.now(), ms)
 * @throws UnavailableError when the database is unavailable or slow; else the error of `step`
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
    throw isDatabaseError(error) ? unavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The driver passes on a bare socket error when the connection is lost during a large write. */
function isDatabaseError(error: unknown): boolean {
  const isOfSocket = error instanceof Error && 'syscall' in error;
  return error instanceof MongoError || error instanceof ExpiredError || isOfSocket;
}
