import { EXIT } from '#src/cli/exit-codes.js';
import { CliError } from '#src/cli/cli-error.js';
import { pause } from '#src/cli/pause.js';
import { pauseAfter, troubleOf, type HttpAnswer } from './trouble.js';

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

export interface Http {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * Hands over the answer's content as it comes; `save` gets it again from its beginning when it broke off.
   * @throws what `save` throws, when it is a CliError
   */
  download(request: HttpRequest, save: (content: AsyncIterable<Uint8Array>) => Promise<void>): Promise<void>;
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

  function call(request: HttpRequest, tooLate: AbortSignal): Promise<Response> {
    const { method = 'GET', json, text, signal } = request;
    return fetch(addressOf(url, request), {
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
  }

  async function read(request: HttpRequest): Promise<HttpAnswer> {
    const response = await call(request, AbortSignal.timeout(request.deadlineMs ?? DEADLINE_MS));
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function save(
    request: HttpRequest,
    keep: (content: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<HttpAnswer> {
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

  async function persist(request: HttpRequest, once: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const { patienceMs = PATIENCE_MS, signal } = request;
    const repeatable = request.repeatable ?? (request.method ?? 'GET') === 'GET';
    const giveUpAt = performance.now() + patienceMs;
    for (let tries = 1; ; tries++) {
      const outcome = await once().catch((error: unknown) => ({ error }));
      signal?.throwIfAborted();
      if ('error' in outcome && outcome.error instanceof CliError) throw outcome.error;
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

  const send = (request: HttpRequest) => persist(request, () => read(request));

  return {
    send,
    async download(request, keep) {
      await persist(request, () => save(request, keep));
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
