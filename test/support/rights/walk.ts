import type { RequestRoute, Server, ServerInjectResponse } from '@hapi/hapi';
import { requestTo } from './requests.js';
import type { Caller } from './world.js';

const OPENED = 'x-authorized';

/** The result of authorization: `opened`, `sign-in` (redirected browser), or the status of the rejection. */
export type Outcome = 'opened' | 'sign-in' | number;

/**
 * Stops each request after authorization, before its handler, so that requests have no effect, except those with the
 * header `x-through`.
 */
export function stopBeforeHandler(server: Server): void {
  server.ext('onPreHandler', (request, h) => {
    if (request.headers['x-through'] !== undefined) return h.continue;
    // A status that no route describes, because responses are checked against schemas.
    return h.response('').code(299).header(OPENED, 'opened').takeover();
  });
}

/** Requests a route as a caller. @param through whether to run its handler */
export async function askFor(
  server: Server,
  route: RequestRoute,
  { headers }: Pick<Caller, 'headers'>,
  ids: Record<string, string>,
  { through = false } = {},
): Promise<ServerInjectResponse> {
  const request = requestTo(route, ids);
  return server.inject({
    ...request,
    headers: { ...request.headers, ...headers, 'x-request-id': 'same', ...(through ? { 'x-through': 'yes' } : {}) },
  });
}

export function outcomeOf({ statusCode, headers }: ServerInjectResponse): Outcome {
  if (headers[OPENED]) return 'opened';
  return statusCode === 303 ? 'sign-in' : statusCode;
}

/** Everything by which a caller could distinguish two responses, except times. */
export function seenOf({ statusCode, payload, headers }: ServerInjectResponse): unknown {
  const { date: _date, ...others } = headers;
  return { statusCode, payload, headers: others };
}

/** Every route, in the order of the table, including assets and webhooks. */
export function routesOf(server: Server): RequestRoute[] {
  return server.table().toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

export function nameOf({ method, path }: RequestRoute): string {
  return `${path} ${method.toUpperCase()}`;
}
