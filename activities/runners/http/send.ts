import type { CookieJar } from 'tough-cookie';
import { Cookie } from 'tough-cookie';
import type { Answer, Client } from './client.js';
import { BadRequestError } from './bad-request.js';
import type { OutgoingRequest } from './request.js';

const MOST_REDIRECTS = 10;

/** A request that was sent, and what came back, if something did. */
export interface Exchange {
  request: OutgoingRequest;
  answer?: Answer;
}

/** What requests of one attempt share: their connections, and their cookies unless they keep none. */
export interface Session {
  client: Client;
  jar: CookieJar | undefined;
}

/**
 * Sends a request and follows its redirects.
 * @param exchanges each request that is sent is added, with its answer: all of them, the last one too
 * @returns the last answer
 * @throws what the client throws; BadRequestError for redirects that lead nowhere
 */
export async function sendRequest(
  { client, jar }: Session,
  first: OutgoingRequest,
  redirects: 'follow' | 'manual' | number,
  exchanges: Exchange[],
  signal: AbortSignal,
): Promise<Answer> {
  const most = redirects === 'manual' ? Infinity : redirects === 'follow' ? MOST_REDIRECTS : redirects;
  for (let request = first, followed = 0; ; followed++) {
    const exchange: Exchange = { request: { ...request, headers: withCookies(request, jar) } };
    exchanges.push(exchange);
    const answer = (exchange.answer = await client.exchange(exchange.request, signal));
    for (const cookie of answer.headers['set-cookie'] ?? [])
      jar?.setCookieSync(cookie, request.url.href, { ignoreError: true });
    const location = answer.headers.location?.[0];
    if (redirects === 'manual' || location === undefined || ![301, 302, 303, 307, 308].includes(answer.status))
      return answer;
    if (followed >= most)
      throw new BadRequestError(`the request was redirected more than ${most} times, last to ${location}`);
    request = redirected(request, answer.status, location);
  }
}

/** All cookies that a request's answers have set, by name. */
export function cookiesOf(exchanges: readonly Exchange[], jar: CookieJar | undefined): Record<string, string> {
  const url = exchanges.at(-1)?.request.url.href;
  const set = exchanges.flatMap(({ answer }) => answer?.headers['set-cookie'] ?? []).map((text) => Cookie.parse(text));
  const kept = url === undefined ? [] : (jar?.getCookiesSync(url) ?? []);
  return Object.fromEntries([...kept, ...set].flatMap((cookie) => (cookie ? [[cookie.key, cookie.value]] : [])));
}

/** The jar's, beside those that the test writes itself. */
function withCookies({ url, headers }: OutgoingRequest, jar: CookieJar | undefined): Record<string, string> {
  const kept = jar?.getCookieStringSync(url.href);
  if (!kept) return headers;
  return { ...headers, cookie: headers.cookie ? `${headers.cookie}; ${kept}` : kept };
}

/** @param from as the test has it: cookies of the jar are looked up anew */
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
    // Credentials are for whom they were given to.
    ...(url.origin === from.url.origin ? [] : ['authorization', 'cookie', 'host']),
  ];
  const headers = Object.fromEntries(Object.entries(from.headers).filter(([name]) => !dropped.includes(name)));
  const { body } = from;
  return { method: becomesGet ? 'GET' : from.method, url, headers, ...(becomesGet || !body ? {} : { body }) };
}
