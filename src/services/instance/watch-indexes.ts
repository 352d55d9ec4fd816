const REFRESH_MS = 60_000;
/** While indexes are missing, so that a server is ready soon after `runhook setup`. */
const REFRESH_MISSING_MS = 2000;

/**
 * Caches the names of missing indexes for a minute, so that readiness probes do not list indexes each time.
 * @param look reads the missing ones; its errors are passed on and not cached
 */
export function watchIndexes(
  findMissing: () => Promise<string[]>,
  now: () => number = () => performance.now(),
): () => Promise<string[]> {
  let cached: Promise<string[]> | undefined;
  let refreshAt = 0;
  return () => {
    if (cached && now() < refreshAt) return cached;
    refreshAt = now() + REFRESH_MISSING_MS;
    const reading = findMissing();
    cached = reading;
    reading.then(
      (missing) => {
        if (missing.length === 0) refreshAt = now() + REFRESH_MS;
      },
      () => (cached = undefined),
    );
    return reading;
  };
}
