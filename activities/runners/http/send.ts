import type { CookieJar } from 'tough-cookie';
import { Cookie } from 'tough-cookie';
import type { HttpResponse, Client } from './client.js';
import { BadRequestError } from './bad-request-error.js';
import type { OutgoingRequest } from './build-request.js';

const MAX_REDIRECTS = 10;

/** A request that was sent, and its response, if any. */
export interface Exchange {
  request: OutgoingRequest;
  response?: HttpResponse;
}

/** Connections and cookies that the requests of an attempt share. */
export interface Session {
  client: Client;
  jar: CookieJar | undefined;
}

/**
 * Sends a request and follows its redirects.
 * @param exchanges receives each request that is sent, with its response
 * @returns the last response
 * @throws the client's errors; BadRequestError for invalid redirects
 */
export async function sendRequest(
  { client, jar }: Session,
  first: OutgoingRequest,
  redirects: 'follow' | 'manual' | number,
  exchanges: Exchange[],
  signal: AbortSignal,
): Promise<HttpResponse> {
  const maxRedirects = redirects === 'manual' ? Infinity : redirects === 'follow' ? MAX_REDIRECTS : redirects;
  for (let request = first, followed = 0; ; followed++) {
    const exchange: Exchange = { request: { ...request, headers: withCookies(request, jar) } };
    exchanges.push(exchange);
    const response = (exchange.response = await client.exchange(exchange.request, signal));
    for (const cookie of response.headers['set-cookie'] ?? [])
      jar?.setCookieSync(cookie, request.url.href, { ignoreError: true });
    const location = response.headers.location?.[0];
    if (redirects === 'manual' || location === undefined || ![301, 302, 303, 307, 308].includes(response.status))
      return response;
    if (followed >= maxRedirects)
      throw new BadRequestError(`the request was redirected more than ${maxRedirects} times, last to ${location}`);
    request = redirected(request, response.status, location);
  }
}

/** Values of the cookies that a request's responses have set, by name. */
export function cookiesOf(exchanges: readonly Exchange[], jar: CookieJar | undefined): Record<string, string> {
  const url = exchanges.at(-1)?.request.url.href;
  const set = exchanges
    .flatMap(({ response }) => response?.headers['set-cookie'] ?? [])
    .map((text) => Cookie.parse(text));
  const stored = url === undefined ? [] : (jar?.getCookiesSync(url) ?? []);
  return Object.fromEntries([...stored, ...set].flatMap((cookie) => (cookie ? [[cookie.key, cookie.value]] : [])));
}

/** Adds the jar's cookies to those that the test sets. */
function withCookies({ url, headers }: OutgoingRequest, jar: CookieJar | undefined): Record<string, string> {
  const stored = jar?.getCookieStringSync(url.href);
  if (!stored) return headers;
  return { ...headers, cookie: headers.cookie ? `${headers.cookie}; ${stored}` : stored };
}

/** @param from the request without the jar's cookies, which are looked up again */
function redirected(from: OutgoingRequest, status: number, location: string): OutgoingRequest {
  if (!URL.canParse(location, from.url.href))
    throw new BadRequestError(`the request was redirected to an invalid URL: ${location}`);
  const url = new URL(location, from.url.href);
  if (!/^https?:$/.test(url.protocol))
    throw new BadRequestError(`the request was redirected to ${location}, which is not an HTTP URL`);
  url.username = url.password = url.hash = '';
  const becomesGet = status === 303 ? from.method !== 'HEAD' : status < 303 && from.method === 'POST';
  const dropped = [
    ...(becomesGet ? ['content-type'] : []),
    // Credentials must not be sent to another origin.
    ...(url.origin === from.url.origin ? [] : ['authorization', 'cookie', 'host']),
  ];
  const headers = Object.fromEntries(Object.entries(from.headers).filter(([name]) => !dropped.includes(name)));
  const { body } = from;
  return { method: becomesGet ? 'GET' : from.method, url, headers, body: becomesGet ? undefined : body };
}
