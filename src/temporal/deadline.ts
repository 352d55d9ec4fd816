import type { Connection } from '@temporalio/client';

/** Temporal did not answer in time. What was asked may have been done all the same. */
export class TemporalDeadlineError extends Error {
  override name = 'TemporalDeadlineError';
}

/**
 * Runs a call with a deadline of our own on top of gRPC's, which is soft while the SDK backs off.
 * @param ms milliseconds
 * @throws TemporalDeadlineError, or what the call throws
 */
export async function withinDeadline<T>(connection: Connection, ms: number, call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TemporalDeadlineError(`Temporal did not answer within ${ms} ms`)), ms + 250);
  });
  try {
    return await Promise.race([connection.withDeadline(Date.now() + ms, call), late]);
  } finally {
    clearTimeout(timer);
  }
}
