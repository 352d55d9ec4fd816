const LOOK_EVERY_MS = 60_000;
/** While some are missing, so that a server is ready soon after `runhook setup`. */
const LOOK_AGAIN_MS = 2000;

/**
 * Remembers which indexes the database lacks, so that a readiness probe does not list them each time.
 * @param look asks the database: names of the missing ones
 * @returns the missing ones as they were a minute ago at most. Throws what `look` throws
 */
export function watchIndexes(
  look: () => Promise<string[]>,
  now: () => number = () => performance.now(),
): () => Promise<string[]> {
  let known: Promise<string[]> | undefined;
  let nextLookAt = 0;
  return () => {
    if (known && now() < nextLookAt) return known;
    nextLookAt = now() + LOOK_AGAIN_MS;
    const looking = look();
    known = looking;
    looking.then(
      (missing) => {
        if (missing.length === 0) nextLookAt = now() + LOOK_EVERY_MS;
      },
      () => (known = undefined),
    );
    return looking;
  };
}
