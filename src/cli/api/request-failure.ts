import { EXIT } from '#src/cli/exit-codes.js';
import { CliError } from '#src/cli/cli-error.js';
import { ApiError, reasonOf, UnreachableError } from './http-errors.js';

/** Temporary errors, and the 500 of a server that is shutting down. */
const RETRYABLE = [500, 502, 503, 504];
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Why a request failed. */
export interface RequestFailure {
  error: Error;
  reason: string;
  retry: boolean;
  retryAfterMs: number;
}

/**
 * Classifies the outcome of a request; undefined when it succeeded.
 * @param repeatable whether a request that may have been processed may be repeated
 * @param url of the server, for messages
 */
export function requestFailureOf(
  outcome: HttpResponse | { error: unknown },
  repeatable: boolean,
  url: string,
): RequestFailure | undefined {
  if ('error' in outcome) {
    const reason = reasonOf(outcome.error);
    const error = new UnreachableError(
      `The server at ${url} is not responding (${reason}). Check the URL with \`runhook config get url\`, and run \`runhook doctor\`.`,
      { cause: outcome.error },
    );
    // Without a connection, the server has not received the request.
    return { error, reason, retry: repeatable || reason === 'ECONNREFUSED', retryAfterMs: 0 };
  }
  const { status, headers, text } = outcome;
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const error = new CliError(`${url} redirects to ${headers.get('location')}. Use that URL instead.`, EXIT.usage);
    return { error, reason: String(status), retry: false, retryAfterMs: 0 };
  }
  const retry = status === 429 || (repeatable && RETRYABLE.includes(status));
  const error = new ApiError(status, bodyOf(text));
  return { error, reason: `HTTP ${status}`, retry, retryAfterMs: retryAfterMs(headers) };
}

function bodyOf(text: string): ApiError['body'] {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    // An HTML page of a proxy.
    return {};
  }
}

/** Reads Retry-After: seconds or a date. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
}

/** The pause before the next attempt, in ms: exponential backoff with jitter, and at least Retry-After. */
export function pauseAfter(attempts: number, retryAfter: number): number {
  const grown = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS);
  const jitter = 0.5 + Math.random() / 2;
  return retryAfter > 0 ? retryAfter + grown * (jitter - 0.5) : grown * jitter;
}
