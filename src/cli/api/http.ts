import { EXIT } from '../exit-codes.js';
import { CliError } from '../cli-error.js';
import { pause } from '../pause.js';
import { pauseAfter, troubleOf } from './trouble.js';

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v2; or a whole address on the same server (`next` of a list). */
  path: string;
  query?: Record<string, string | number | boolean | string[] | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  text?: { type: string; content: string };
  headers?: Record<string, string>;
  /** The same call again is the same thing: it may be repeated when its answer was lost. GETs are, without saying so. */
  repeatable?: boolean;
  /** How long to go on trying, in ms. */
  patienceMs?: number;
  /** How long one try may take, in ms. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Http {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The answer's JSON. */
  json<T>(request: HttpRequest): Promise<T>;
}

export interface HttpOptions {
  /** Of the server, without a slash at its end. */
  url: string;
  token?: string;
  userAgent: string;
  /** Told once when a call has to be tried again, and once when it went well after that. */
  onTrouble?(reason: string, patienceMs: number): void;
  onRecovery?(): void;
}

const DEADLINE_MS = 30_000;
const PATIENCE_MS = 5000;

/** Calls the API: every try has its deadline, and what can be repeated is, with growing pauses. */
export function createHttp(options: HttpOptions): Http {
  const { url, token, userAgent } = options;

  async function once(request: HttpRequest): Promise<HttpAnswer> {
    const { method = 'GET', json, text, signal, deadlineMs = DEADLINE_MS } = request;
    const tooLate = AbortSignal.timeout(deadlineMs);
    const response = await fetch(addressOf(url, request), {
      method,
      headers: {
        accept: 'application/json, */*;q=0.5',
        'user-agent': userAgent,
        ...(token ? { authorization: `Token ${token}` } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(text ? { 'content-type': text.type } : {}),
        ...request.headers,
      },
      body: json === undefined ? text?.content : JSON.stringify(json),
      // A token goes to the address it was meant for only, and a POST must not become a GET.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, tooLate]) : tooLate,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    const { patienceMs = PATIENCE_MS, signal } = request;
    const repeatable = request.repeatable ?? (request.method ?? 'GET') === 'GET';
    const giveUpAt = performance.now() + patienceMs;
    for (let tries = 1; ; tries++) {
      const outcome = await once(request).catch((error: unknown) => ({ error }));
      signal?.throwIfAborted();
      const trouble = troubleOf(outcome, repeatable, url);
      if (!trouble) {
        if (tries > 1) options.onRecovery?.();
        return outcome as HttpAnswer;
      }
      const pauseMs = pauseAfter(tries, trouble.retryAfterMs);
      if (!trouble.again || performance.now() + pauseMs > giveUpAt) throw trouble.error;
      if (tries === 1) options.onTrouble?.(trouble.reason, patienceMs);
      await pause(pauseMs, signal);
    }
  }

  return {
    send,
    async json<T>(request: HttpRequest) {
      const { text, headers } = await send(request);
      try {
        return JSON.parse(text) as T;
      } catch (cause) {
        const type = headers.get('content-type') ?? 'no type';
        throw new CliError(
          `${url} answered with ${type} instead of JSON. Is it the address of a Runhook server?`,
          EXIT.error,
          {
            cause,
          },
        );
      }
    },
  };
}

function addressOf(base: string, { path, query = {} }: HttpRequest): URL {
  // `next` of a list names the server as others see it; this way may be another (a tunnel).
  const given = URL.canParse(path) ? new URL(path) : undefined;
  const address = new URL(
    given ? `${base}/api/v2${given.pathname.replace(/^.*?\/api\/v2/, '')}${given.search}` : `${base}/api/v2${path}`,
  );
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) address.searchParams.append(name, String(one));
  return address;
}
