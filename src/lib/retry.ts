import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  /** Backoff after the first failure, in ms; it doubles with each failure. */
  firstMs: number;
  /** Maximum backoff; default: `firstMs`. */
  longestMs?: number;
  /** Ends the backoff when aborted; the next attempt is then the last. */
  signal?: AbortSignal;
  /** Called after each failure; an error thrown here ends the retries. */
  onFailure?(error: unknown): void;
}

/**
 * Retries until success. Unlike p-retry, it does not treat any error class as final: drivers throw TypeErrors for temporary
 * failures.
 * @throws what `onFailure` throws, or the last error when the signal is aborted
 */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { firstMs, longestMs = firstMs, signal, onFailure } = options;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(2 * pauseMs, longestMs)) {
    try {
      return await attempt();
    } catch (error) {
      onFailure?.(error);
      if (signal?.aborted) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
