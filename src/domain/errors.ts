/** The errors that services throw; `src/server/plugins/errors.ts` maps them to HTTP, once. */

/** Bad token, unknown target, another project's target: told to nobody apart. */
export class TargetNotFoundError extends Error {
  override name = 'TargetNotFoundError';
}

export class RunNotFoundError extends Error {
  override name = 'RunNotFoundError';
}

/** The idempotency key was used for another target. */
export class IdempotencyConflictError extends Error {
  override name = 'IdempotencyConflictError';
}

/** Something the caller sent is malformed; the message says what and how to mend it. */
export class InvalidInputError extends Error {
  override name = 'InvalidInputError';
}

/** A dependency is down or slow: the same call works later. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
