/** A key expired before it was sent. */
export class ExpiredError extends Error {
  override name = 'ExpiredError';
}

interface Waiting<Key, Value> {
  key: Key;
  expiresAt: number;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

export interface CoalesceOptions {
  /** Maximum number of concurrent batches. */
  inFlight?: number;
  /** Maximum number of keys per batch. */
  maxBatch?: number;
  /** How long the first key waits for others, in ms; default: until the end of the event loop iteration. */
  gatherMs?: number;
}

/**
 * Turns `many(keys) → results, same order` into `one(key) → value`: waiting keys are sent as one batch. A key never joins
 * a batch already sent, so a lookup sees everything that was committed before it began.
 *
 * @param many returns a value or an Error for each key; a rejection fails all keys of the batch
 * @returns one(key, expiresAt): a key still waiting at `expiresAt` (performance.now(), ms) fails with ExpiredError
 */
export function coalesce<Key, Value>(
  many: (keys: Key[]) => Promise<(Value | Error)[]>,
  { inFlight = 2, maxBatch = 500, gatherMs }: CoalesceOptions = {},
): (key: Key, expiresAt?: number) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let sent = 0;
  let scheduled = false;

  function takeBatch(): Waiting<Key, Value>[] {
    const now = performance.now();
    const live = waiting.filter(({ expiresAt, reject }) => {
      if (expiresAt > now) return true;
      reject(new ExpiredError('waited too long in the queue'));
      return false;
    });
    waiting = live.slice(maxBatch);
    return live.slice(0, maxBatch);
  }

  async function send(batch: Waiting<Key, Value>[]): Promise<void> {
    sent++;
    try {
      const results = await many(batch.map((one) => one.key));
      batch.forEach((one, index) => {
        const result = results[index] as Value | Error;
        if (result instanceof Error) one.reject(result);
        else one.resolve(result);
      });
    } catch (error) {
      for (const one of batch) one.reject(error);
    } finally {
      sent--;
      flush();
    }
  }

  function flush(): void {
    while (waiting.length > 0 && sent < inFlight) {
      const batch = takeBatch();
      if (batch.length > 0) void send(batch);
    }
  }

  return (key, expiresAt = Infinity) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, expiresAt, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      const gathered = () => {
        scheduled = false;
        flush();
      };
      if (gatherMs === undefined) setImmediate(gathered);
      else setTimeout(gathered, gatherMs);
    });
}
