import { EXIT } from '#src/cli/exit-codes.js';
import { CliError } from '#src/cli/cli-error.js';
import { ApiError, reasonOf, UnreachableError } from './http-errors.js';

/** Temporary errors, and the 500 of a server that is shutting down. */
const WORTH_REPEATING = [500, 502, 503, 504];
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Why a request failed. */
export interface Trouble {
  error: Error;
  reason: string;
  /** Whether to retry. */
  again: boolean;
  retryAfterMs: number;
}

/**
 * What is wrong with the outcome of a call; undefined when nothing is.
 * @param repeatable whether the same call may be made again when it may have been done
 * @param url of the server, for words
 */
export function troubleOf(
  outcome: HttpAnswer | { error: unknown },
  repeatable: boolean,
  url: string,
): Trouble | undefined {
  if ('error' in outcome) {
    const reason = reasonOf(outcome.error);
    const error = new UnreachableError(
      `The server at ${url} is not responding (${reason}). Check the URL with \`runhook config get url\`, and run \`runhook doctor\`.`,
      { cause: outcome.error },
    );
    // Without a connection, the server has not received the request.
    return { error, reason, again: repeatable || reason === 'ECONNREFUSED', retryAfterMs: 0 };
  }
  const { status, headers, text } = outcome;
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const error = new CliError(`${url} redirects to ${headers.get('location')}. Use that URL instead.`, EXIT.usage);
    return { error, reason: String(status), again: false, retryAfterMs: 0 };
  }
  const again = status === 429 || (repeatable && WORTH_REPEATING.includes(status));
  const error = new ApiError(status, bodyOf(text));
  return { error, reason: `HTTP ${status}`, again, retryAfterMs: retryAfterMs(headers) };
}

function bodyOf(text: string): ApiError['body'] {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    // A proxy's page.
    return {};
  }
}

/** Seconds or a date. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
}

/**
 * How long to wait before the next try, in ms: doubles, with jitter so that a crowd does not come back at once; never less
 * than the server asks for.
 */
export function pauseAfter(tries: number, retryAfter: number): number {
  const grown = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
  const jitter = 0.5 + Math.random() / 2;
  return retryAfter > 0 ? retryAfter + grown * (jitter - 0.5) : grown * jitter;
}
