import type { RequestRoute, Server, ServerInjectResponse } from '@hapi/hapi';
import { requestTo } from './requests.js';
import type { Asker } from './world.js';

const OPENED = 'x-door';

/** What the door does: `opened`, `sign-in` (a browser is led there), or the status of the refusal. */
export type Outcome = 'opened' | 'sign-in' | number;

/**
 * Lets a server stop each request right behind its door, before its handler, so that everything may be asked for and
 * nothing happens; requests with the header `x-through` go on.
 */
export function stopBehindTheDoor(server: Server): void {
  server.ext('onPreHandler', (request, h) => {
    if (request.headers['x-through'] !== undefined) return h.continue;
    // A status that no route describes: answers are held against their schemas.
    return h.response('').code(299).header(OPENED, 'opened').takeover();
  });
}

/** Asks for a route as somebody. @param through also its handler */
export async function askFor(
  server: Server,
  route: RequestRoute,
  { headers }: Pick<Asker, 'headers'>,
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

/** All that a caller can tell two answers apart by, but their times and lengths of life. */
export function seenOf({ statusCode, payload, headers }: ServerInjectResponse): unknown {
  const { date: _date, ...others } = headers;
  return { statusCode, payload, headers: others };
}

/** Every route, in the order of the table; asset and webhook paths too. */
export function routesOf(server: Server): RequestRoute[] {
  return server.table().toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

export function nameOf({ method, path }: RequestRoute): string {
  return `${path} ${method.toUpperCase()}`;
}
