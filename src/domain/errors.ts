import type { ApiErrorCode } from './api-error-codes.js';

/** A problem with one field of a request. */
export interface FieldProblem {
  /** Path such as `suites.0.tests`, or the name of a query parameter or header. */
  field: string;
  message: string;
}

/** A dependency that can be unavailable. */
export type Dependency = 'database' | 'temporal' | 'server';

/** Why a request failed, if the status is not specific enough. */
export type FailureReason = Dependency | 'stale-form';

/**
 * An error that services throw for their callers. It defines its response: `src/server/plugins/errors.ts` maps it to HTTP,
 * `error-pages.ts` to a page. The message is for the caller; other errors become a 500 without their message.
 */
export abstract class RunhookError extends Error {
  abstract readonly statusCode: number;
  /** Whether error pages show the message, in addition to their own text for the status. */
  readonly expose: boolean = false;
  /** For programs; absent: the default code of the status. */
  declare readonly code?: ApiErrorCode;
  declare readonly reason?: FailureReason;
  declare readonly fields?: readonly FieldProblem[];
  /** When to retry. */
  declare readonly retryAfterSeconds?: number;
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The message of every 404 of a webhook: malformed, unknown, revoked and foreign tokens look the same. */
export const NO_SUCH_WEBHOOK =
  'This webhook URL does not exist: its token or ID is wrong or no longer valid. Copy the current URL from the web app.';

/** Bad token, unknown target or a target of another project: callers cannot distinguish these. */
export class TargetNotFoundError extends RunhookError {
  readonly statusCode = 404;
  constructor() {
    super(NO_SUCH_WEBHOOK);
  }
}

/** The resource does not exist, or the caller has no access: callers cannot distinguish these. */
export class NotFoundError extends RunhookError {
  readonly statusCode = 404;
}

/** The idempotency key was used for a different request. */
export class IdempotencyConflictError extends RunhookError {
  readonly statusCode = 422;
}

/** The request is malformed; the message states the problem and the fix. */
export class InvalidInputError extends RunhookError {
  readonly statusCode = 400;
  override readonly expose = true;
  override readonly fields: readonly FieldProblem[];
  constructor(message: string, options: ErrorOptions & { fields?: readonly FieldProblem[] } = {}) {
    super(message, options);
    this.fields = options.fields ?? [];
  }
}

/** An InvalidInputError of one field. */
export function invalidField(field: string, message: string, options: ErrorOptions = {}): InvalidInputError {
  return new InvalidInputError(message, { ...options, fields: [{ field, message }] });
}

/** The credentials are missing, invalid or expired. */
export class UnauthorizedError extends RunhookError {
  readonly statusCode = 401;
}

/** The caller may see the resource but not do this. */
export class ForbiddenError extends RunhookError {
  readonly statusCode = 403;
  constructor(
    message: string,
    override readonly code?: ApiErrorCode,
  ) {
    super(message);
  }
}

/** A form that was sent by another site, or from a page of a session that has ended. */
export class StaleFormError extends ForbiddenError {
  override readonly reason = 'stale-form';
}

/** The request conflicts with the current state; `code` identifies the conflict. */
export class ConflictError extends RunhookError {
  readonly statusCode = 409;
  override readonly expose = true;
  constructor(
    override readonly code: ApiErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The resource has changed since the caller read it (If-Match). */
export class ChangedMeanwhileError extends RunhookError {
  readonly statusCode = 412;
}

/** A limit is reached; the caller can retry later. */
export class TooManyError extends RunhookError {
  readonly statusCode = 429;
  override readonly expose = true;
  /** Close the connection with the response. */
  hangUp = false;
  constructor(
    message: string,
    override readonly retryAfterSeconds: number,
    /** For the RateLimit-* headers. */
    readonly limit?: { limit: number; remaining: number; resetSeconds: number },
  ) {
    super(message);
  }
}

/** A dependency is down or slow; the caller can retry later. */
export class UnavailableError extends RunhookError {
  readonly statusCode = 503;
  override readonly expose: boolean;
  /** The unavailable dependency; absent: too many requests at once. */
  declare readonly reason?: Dependency;
  constructor(
    message: string,
    override readonly retryAfterSeconds: number,
    { dependency, ...options }: ErrorOptions & { dependency?: Dependency } = {},
  ) {
    super(message, options);
    this.expose = dependency === undefined;
    if (dependency) this.reason = dependency;
  }
}
