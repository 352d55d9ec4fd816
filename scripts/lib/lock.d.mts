/** Somebody else holds the lock. */
export class LockHeldError extends Error {
  constructor(file: string, pid: number);
  readonly pid: number;
}

/**
 * Takes a lock file and returns what gives it back. A lock whose holder is gone is taken over.
 * @throws LockHeldError when a living process holds it
 */
export function takeLock(file: string): () => void;

/**
 * Does some work under a lock, waiting up to `timeoutMs` when another process holds it.
 * @throws LockHeldError when the time is up
 */
export function withLock<T>(
  file: string,
  options: { timeoutMs: number; onWait?: (pid: number) => void },
  work: () => Promise<T>,
): Promise<T>;
