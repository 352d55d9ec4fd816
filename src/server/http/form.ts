import type { ResponseObject, RouteOptionsPayload } from '@hapi/hapi';
import type { ApiErrorCode } from '#src/domain/api-error-codes.js';
import { RunhookError } from '#src/domain/errors.js';
import type { FormProblem } from '#src/web/components/form/form.js';

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

/** What a form that was not accepted is answered with: the problem shown in it, and the status. */
export interface RefusedForm extends FormProblem {
  statusCode: number;
  retryAfterSeconds?: number | undefined;
}

/** Statuses of errors after which the form cannot be shown again: what it edits no longer exists. */
const WITHOUT_FORM = [404, 422];

/** The field that a conflict is about, by its code. */
const CONFLICT_FIELDS: Partial<Record<ApiErrorCode, string>> = { name_taken: 'name', email_taken: 'email' };

/** @throws the error itself when the sender cannot fix it */
export function formProblem(error: unknown): RefusedForm {
  if (!(error instanceof RunhookError) || WITHOUT_FORM.includes(error.statusCode)) throw error;
  const { statusCode, message, code, retryAfterSeconds } = error;
  const field = code && CONFLICT_FIELDS[code];
  const fields = error.fields ?? (field ? [{ field, message }] : []);
  return { statusCode, message, fields, retryAfterSeconds };
}

/** The form again, with the status of what was wrong with it. */
export function withProblem(response: ResponseObject, { statusCode, retryAfterSeconds }: RefusedForm): ResponseObject {
  response.code(statusCode);
  return retryAfterSeconds === undefined ? response : response.header('retry-after', String(retryAfterSeconds));
}

/** A path of this server to redirect to; `/` if it leads to another site. @param next as requested */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\s]*$/.test(next)) return '/';
  const base = 'http://runhook.invalid';
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : '/';
}
