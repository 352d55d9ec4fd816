import type { Connection } from '@temporalio/client';
import pTimeout from 'p-timeout';

/** Temporal did not answer in time. What was asked may have been done all the same. */
export class TemporalDeadlineError extends Error {
  override name = 'TemporalDeadlineError';
}

const underWay = new WeakMap<Connection, Set<Promise<unknown>>>();

/** Calls settle within their deadline; one that does not is not waited for, in ms. */
const CLOSE_MS = 3000;

/**
 * Closes a connection when its calls are over: the SDK repeats a call out of a timer, and on a connection that is closed
 * by then this throws where nobody can catch it.
 */
export async function closeConnection(connection: Connection): Promise<void> {
  const calls = Promise.allSettled(underWay.get(connection) ?? []);
  await pTimeout(calls, { milliseconds: CLOSE_MS, message: false });
  await connection.close();
}

/** Notes a call until it is over. */
function noted<T>(connection: Connection, call: Promise<T>): Promise<T> {
  const calls = underWay.get(connection) ?? new Set();
  underWay.set(connection, calls.add(call));
  const over = () => void calls.delete(call);
  call.then(over, over);
  return call;
}

/**
 * Runs a call with a deadline of our own on top of gRPC's, which is soft while the SDK backs off.
 * @param ms milliseconds
 * @throws TemporalDeadlineError, or what the call throws
 */
export function withinDeadline<T>(connection: Connection, ms: number, call: () => Promise<T>): Promise<T> {
  return pTimeout(noted(connection, connection.withDeadline(Date.now() + ms, call)), {
    milliseconds: ms + 250,
    fallback: () => {
      throw new TemporalDeadlineError(`Temporal did not respond within ${ms} ms`);
    },
  });
}
