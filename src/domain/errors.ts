/** The errors that services throw; `src/server/plugins/errors.ts` maps them to HTTP, once. */

/** Bad token, unknown target, another project's target: told to nobody apart. */
export class TargetNotFoundError extends Error {
  override name = 'TargetNotFoundError';
}

/** There is no such thing, or not for this caller: the two are not told apart. */
export class NotFoundError extends Error {
  override name = 'NotFoundError';
}

/** The idempotency key was used for another target. */
export class IdempotencyConflictError extends Error {
  override name = 'IdempotencyConflictError';
}

/** What is wrong with one field of a request. */
export interface FieldProblem {
  /** Path: `suites.0.tests`; of a query or header, its name. */
  field: string;
  message: string;
}

/** Something the caller sent is malformed; the message says what and how to mend it. */
export class InvalidInputError extends Error {
  override name = 'InvalidInputError';
  readonly fields: readonly FieldProblem[];
  constructor(message: string, options: ErrorOptions & { fields?: readonly FieldProblem[] } = {}) {
    super(message, options);
    this.fields = options.fields ?? [];
  }
}

/** The caller did not say who he is, or his credentials are not (any more) good. */
export class UnauthorizedError extends Error {
  override name = 'UnauthorizedError';
}

/** The caller may see the thing and may not do this with it. */
export class ForbiddenError extends Error {
  override name = 'ForbiddenError';
  /** The reason, for programs; absent: `forbidden`. */
  readonly code?: string;
  constructor(message: string, code?: string) {
    super(message);
    if (code !== undefined) this.code = code;
  }
}

/** A form that was not sent by a page of ours, or by one that a session since ended was shown. */
export class StaleFormError extends ForbiddenError {
  override name = 'StaleFormError';
}

/** What is asked for does not go with what is there; `code` says how, for programs. */
export class ConflictError extends Error {
  override name = 'ConflictError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Somebody else changed it since the caller read it (If-Match). */
export class ChangedMeanwhileError extends Error {
  override name = 'ChangedMeanwhileError';
}

/** Too many calls; the same call works later. */
export class TooManyError extends Error {
  override name = 'TooManyError';
  /** The connection is closed with the answer. */
  hangUp = false;
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    /** What the RateLimit-* headers say. */
    readonly limit?: { limit: number; remaining: number; resetSeconds: number },
  ) {
    super(message);
  }
}

/** What is away when something is not available. */
export type Away = 'database' | 'temporal' | 'server';

/** A dependency is down or slow: the same call works later. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  /** Absent: too much is asked for at once. */
  readonly away?: Away;
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    { away, ...options }: ErrorOptions & { away?: Away } = {},
  ) {
    super(message, options);
    if (away) this.away = away;
  }
}
