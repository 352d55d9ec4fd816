import type { RequestRoute } from '@hapi/hapi';
import { randomId } from '#src/domain/ids.js';

export interface RouteRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** Ids of the world whose parameter has a different name on some paths. */
const OTHER_NAMES: [path: RegExp, name: string, key: string][] = [
  [/\/suiteruns\//, 'runId', 'suiteRunId'],
  [/^\/runs\/.*\/(timeline|suite-events)$/, 'runId', 'suiteRunId'],
  [/\/projects\/.*\/tokens\//, 'tokenId', 'projectTokenId'],
  [/^\/tests\//, 'targetId', 'testId'],
  [/^\/suites\//, 'targetId', 'suiteId'],
];

/** The names of the parameters in a route's path. */
export function paramsOf({ path }: Pick<RequestRoute, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)[^}]*\}/g)].map((match) => match[1]!);
}

/** A valid request to a route, with these ids in the path and the example body. */
export function requestTo(route: RequestRoute, ids: Record<string, string>): RouteRequest {
  const { path, method, settings } = route;
  const key = (name: string) => OTHER_NAMES.find(([at, one]) => one === name && at.test(path))?.[2] ?? name;
  const url = path.replace(/\{(\w+)[^}]*\}/g, (_whole, name: string) => ids[key(name)] ?? 'something');
  const example = settings.app?.api?.bodyExample;
  const type = method === 'get' ? undefined : [settings.payload?.allow ?? []].flat()[0];
  const hasBody = method !== 'get' && example !== undefined;
  return {
    method: method === '*' ? 'GET' : method.toUpperCase(),
    url,
    headers: { 'if-match': '*', ...(type ? { 'content-type': type } : {}) },
    ...(hasBody ? { payload: JSON.stringify(withIds(example, ids)) } : {}),
  };
}

/** Ids of missing resources. */
export function missing(ids: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(ids).map((name) => [name, name === 'number' ? '7' : randomId()]));
}

function withIds(example: unknown, ids: Record<string, string>): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const id = ids[name === 'runProfileId' ? 'profileId' : name];
      return [name, id ?? (name === 'tests' ? [ids.testId] : value)];
    }),
  );
}
