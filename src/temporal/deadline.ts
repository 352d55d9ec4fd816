import type { Connection } from '@temporalio/client';
import pTimeout from 'p-timeout';

/** Temporal did not respond in time. The call may have been executed. */
export class TemporalDeadlineError extends Error {
  override name = 'TemporalDeadlineError';
}

const openCalls = new WeakMap<Connection, Set<Promise<unknown>>>();

/** How long closing waits for calls, which should settle within their own deadlines. */
const CLOSE_MS = 3000;

/**
 * Closes a connection after its calls have settled: the SDK retries calls from a timer, which throws an uncaught error
 * on a closed connection.
 */
export async function closeConnection(connection: Connection): Promise<void> {
  const calls = Promise.allSettled(openCalls.get(connection) ?? []);
  await pTimeout(calls, { milliseconds: CLOSE_MS, message: false });
  await connection.close();
}

function tracked<T>(connection: Connection, call: Promise<T>): Promise<T> {
  const calls = openCalls.get(connection) ?? new Set();
  openCalls.set(connection, calls.add(call));
  const remove = () => void calls.delete(call);
  call.then(remove, remove);
  return call;
}

/**
 * Runs a call with a hard deadline, because the SDK does not enforce gRPC's during backoff.
 * @throws TemporalDeadlineError, or what the call throws
 */
export function withinDeadline<T>(connection: Connection, ms: number, call: () => Promise<T>): Promise<T> {
  return pTimeout(tracked(connection, connection.withDeadline(Date.now() + ms, call)), {
    milliseconds: ms + 250,
    fallback: () => {
      throw new TemporalDeadlineError(`Temporal did not respond within ${ms} ms`);
    },
  });
}
