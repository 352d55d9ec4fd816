import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  /** The pause after the first failure, in ms; each one after it is twice as long. */
  firstMs: number;
  /** The longest pause; absent: all are as long as the first. */
  longestMs?: number;
  /** Aborted, it ends a pause; the attempt after that is the last. */
  signal?: AbortSignal | undefined;
  /** Called after each failure; what it throws is thrown, without another attempt. */
  onFailure?(error: unknown): void;
}

/**
 * Repeats something until it succeeds. Unlike p-retry it takes no error for final by its class: drivers throw TypeErrors for
 * what passes.
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
