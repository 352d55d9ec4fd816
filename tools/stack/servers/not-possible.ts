/** This way to a server is not open here; the message says why, so that the next way can be tried knowingly. */
export class NotPossibleError extends Error {
  override name = 'NotPossibleError';
}

const MAX_LENGTH = 200;

/** The innermost cause in one line: the words that tell a person most. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (cause) return reasonOf(cause);
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().replace(/\s+/g, ' ').slice(0, MAX_LENGTH);
}
