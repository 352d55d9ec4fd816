/** A server cannot be obtained in this way; the message states why. */
export class NotPossibleError extends Error {
  override name = 'NotPossibleError';
}

const MAX_LENGTH = 200;

/** The message of the innermost cause, which is the most specific, on one line. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (cause) return reasonOf(cause);
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().replace(/\s+/g, ' ').slice(0, MAX_LENGTH);
}
