import type { ResponseObject, RouteOptionsPayload } from '@hapi/hapi';
import {
  ConflictError,
  ForbiddenError,
  ChangedMeanwhileError,
  type FieldProblem,
  InvalidInputError,
  TooManyError,
  UnauthorizedError,
  UnavailableError,
} from '../domain/errors.js';

const MAX_FORM_BYTES = 16 * 1024;

/** Options of a route that takes a form. */
export const formPayload: RouteOptionsPayload = {
  allow: 'application/x-www-form-urlencoded',
  maxBytes: MAX_FORM_BYTES,
};

/** The same of a form with files. As streams, though they are in memory: otherwise hapi would parse them by their types. */
export const filesPayload: RouteOptionsPayload = {
  ...formPayload,
  allow: ['application/x-www-form-urlencoded', 'multipart/form-data'],
  multipart: { output: 'stream' },
};

/** A field of a form as text; empty where there is none. A field that came twice has no text. */
export function formField(payload: unknown, name: string): string {
  const value =
    payload !== null && typeof payload === 'object' ? (payload as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** What is shown above a form that was not taken. */
export interface FormProblem {
  statusCode: number;
  message: string;
  /** What is wrong with single fields. */
  fields: readonly FieldProblem[];
  retryAfterSeconds?: number;
}

/** @throws the error itself when it is not the sender's to mend */
export function formProblem(error: unknown): FormProblem {
  if (error instanceof TooManyError || error instanceof UnavailableError) {
    const { message, retryAfterSeconds } = error;
    return { statusCode: error instanceof TooManyError ? 429 : 503, message, fields: [], retryAfterSeconds };
  }
  const statusCode = statusOf(error);
  if (statusCode === undefined) throw error;
  const fields = error instanceof InvalidInputError ? error.fields : [];
  return { statusCode, message: (error as Error).message, fields };
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof InvalidInputError) return 400;
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof ForbiddenError) return 403;
  if (error instanceof ChangedMeanwhileError) return 412;
  return error instanceof ConflictError ? 409 : undefined;
}

/** The form again, with the status of what was wrong with it. */
export function withProblem(response: ResponseObject, { statusCode, retryAfterSeconds }: FormProblem): ResponseObject {
  response.code(statusCode);
  return retryAfterSeconds === undefined ? response : response.header('retry-after', String(retryAfterSeconds));
}

/** A path of ours to go on to; `/` when it would lead elsewhere. @param next as somebody gave it */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\s]*$/.test(next)) return '/';
  const base = 'http://runhook.invalid';
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : '/';
}
