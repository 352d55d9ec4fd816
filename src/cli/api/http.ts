import { EXIT } from '#src/cli/exit-codes.js';
import { CliError } from '#src/cli/cli-error.js';
import { pause } from '#src/cli/pause.js';
import { pauseAfter, requestFailureOf, type HttpResponse } from './request-failure.js';

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below /api/v2, or a URL on the same server (`next` of a list). */
  path: string;
  query?: Record<string, string | number | boolean | string[] | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  text?: { type: string; content: string };
  headers?: Record<string, string>;
  /** The request is idempotent and may be retried after a lost response. Default: true for GET. */
  repeatable?: boolean;
  /** How long to retry, in ms. */
  patienceMs?: number;
  /** Timeout of one attempt, in ms. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Streams the response to `save`, which is called again with the whole content after an interruption.
   * @throws the error of `save`, if it is a CliError
   */
  download(request: HttpRequest, save: (content: AsyncIterable<Uint8Array>) => Promise<void>): Promise<void>;
  /** Returns the JSON of the response. */
  json<T>(request: HttpRequest): Promise<T>;
}

export interface HttpOptions {
  /** URL of the server, without a trailing slash. */
  url: string;
  token?: string;
  userAgent: string;
  /** Called at the first retry of a request; `onRecovery` when it then succeeds. */
  onFailure?(reason: string, patienceMs: number): void;
  onRecovery?(): void;
}

const DEADLINE_MS = 30_000;
const PATIENCE_MS = 5000;

/** A client of the API: each attempt has a timeout, and idempotent requests are retried with backoff. */
export function createHttp(options: HttpOptions): Http {
  const { url, token, userAgent } = options;

  function call(request: HttpRequest, timeout: AbortSignal): Promise<Response> {
    const { method = 'GET', json, text, signal } = request;
    return fetch(urlOf(url, request), {
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
      // The token must not be sent to another server, and a POST must not become a GET.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  }

  async function read(request: HttpRequest): Promise<HttpResponse> {
    const response = await call(request, AbortSignal.timeout(request.deadlineMs ?? DEADLINE_MS));
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function save(
    request: HttpRequest,
    keep: (content: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<HttpResponse> {
    const silence = new AbortController();
    const giveUp = () => silence.abort(new Error(`no data received for ${DEADLINE_MS / 1000} s`));
    const timer = setTimeout(giveUp, DEADLINE_MS);
    async function* content(body: AsyncIterable<Uint8Array>) {
      for await (const part of body) {
        timer.refresh();
        yield part;
      }
    }
    try {
      const response = await call(request, silence.signal);
      const { status, headers } = response;
      if (!response.ok) return { status, headers, text: await response.text() };
      await keep(content(response.body ?? new Blob().stream()));
      return { status, headers, text: '' };
    } finally {
      clearTimeout(timer);
    }
  }

  async function withRetries(request: HttpRequest, once: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const { patienceMs = PATIENCE_MS, signal } = request;
    const repeatable = request.repeatable ?? (request.method ?? 'GET') === 'GET';
    const giveUpAt = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      const outcome = await once().catch((error: unknown) => ({ error }));
      signal?.throwIfAborted();
      if ('error' in outcome && outcome.error instanceof CliError) throw outcome.error;
      const failure = requestFailureOf(outcome, repeatable, url);
      if (!failure) {
        if (attempt > 1) options.onRecovery?.();
        return outcome as HttpResponse;
      }
      const pauseMs = pauseAfter(attempt, failure.retryAfterMs);
      if (!failure.retry || performance.now() + pauseMs > giveUpAt) throw failure.error;
      if (attempt === 1) options.onFailure?.(failure.reason, patienceMs);
      await pause(pauseMs, signal);
    }
  }

  const send = (request: HttpRequest) => withRetries(request, () => read(request));

  return {
    send,
    async download(request, keep) {
      await withRetries(request, () => save(request, keep));
    },
    async json<T>(request: HttpRequest) {
      const { text, headers } = await send(request);
      try {
        return JSON.parse(text) as T;
      } catch (cause) {
        const type = headers.get('content-type') ?? 'no content type';
        throw new CliError(
          `${url} returned ${type} instead of JSON. Check that it is the URL of a Runhook server.`,
          EXIT.error,
          {
            cause,
          },
        );
      }
    },
  };
}

function urlOf(base: string, { path, query = {} }: HttpRequest): URL {
  // `next` of a list contains the public URL, which may differ from the one used here (a tunnel).
  const given = URL.canParse(path) ? new URL(path) : undefined;
  const address = new URL(
    given ? `${base}/api/v2${given.pathname.replace(/^.*?\/api\/v2/, '')}${given.search}` : `${base}/api/v2${path}`,
  );
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) address.searchParams.append(name, String(one));
  return address;
}
