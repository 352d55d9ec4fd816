import type { Server, ServerInjectOptions } from '@hapi/hapi';
import { createApiTokenStore } from '#src/db/tokens/api-token-store.js';
import { createAuditStore } from '#src/db/instance/audit-store.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createSessionStore } from '#src/db/people/session-store.js';
import { createUserStore } from '#src/db/people/user-store.js';
import { DEFAULT_LIMITS } from '#src/domain/limits.js';
import { createServer, type ServerDeps } from '#src/server/server.js';
import { createAccessControl } from '#src/services/access/access-control.js';
import { createAudit } from '#src/services/people/audit-log.js';
import { createAuthenticator } from '#src/services/access/authenticate.js';
import { createDefinitionServices } from '#src/services/targets/definition-services.js';
import { createPeopleServices } from '#src/services/people/people-services.js';
import { createProjectFinder } from '#src/services/access/project-finder.js';
import type { ServiceDeps } from '#src/services/service-deps.js';
import { createStatsServices } from '#src/services/stats/stats-services.js';
import { aClock } from '#test/builders/clock.js';
import { serverDeps } from '#test/builders/server-deps.js';

const SESSIONS = { sessionMs: 3_600_000, sessionMaxMs: 24 * 3_600_000 };

/** Encryption keys of the services. */
export const SECRET_KEYS = [Buffer.alloc(32, 1)];
export const PUBLIC_URL = 'http://runs.example.test';

/** Real authentication, authorization and services on a real database; every response is checked against its schema. */
export async function apiServer(
  collections: Collections,
  more: (services: ServiceDeps) => Partial<ServerDeps> = () => ({}),
  clock = aClock(),
): Promise<Server> {
  const access = createAccessControl({
    memberships: createMembershipStore(collections),
    projects: createProjectStore(collections),
  });
  const services: ServiceDeps = {
    collections,
    clock,
    secretKeys: SECRET_KEYS,
    limits: DEFAULT_LIMITS,
    publicUrl: PUBLIC_URL,
    audit: createAudit(createAuditStore(collections), aClock()),
    access,
  };
  const deps = serverDeps({
    publicUrl: PUBLIC_URL,
    access,
    authenticator: createAuthenticator({
      users: createUserStore(collections),
      sessions: createSessionStore(collections),
      apiTokens: createApiTokenStore(collections),
      clock: services.clock,
      ...SESSIONS,
    }),
    owners: createProjectFinder(collections),
    people: createPeopleServices({ ...services, ...SESSIONS }),
    definitions: createDefinitionServices(services, async () => {}),
    stats: createStatsServices(collections, clock),
    clock,
    ...more(services),
  });
  return createServer({ host: '127.0.0.1', port: 0, validateResponses: true }, deps);
}

export interface ApiAnswer<Body> {
  status: number;
  /** Body of the response, if any. */
  body: Body;
  text: string;
  etag: string | undefined;
  headers: Record<string, unknown>;
}

/** Calls `METHOD /path` below /api/v2 with a token. */
export async function callApi<Body = Record<string, unknown>>(
  server: Server,
  apiToken: string | undefined,
  call: string,
  payload?: ServerInjectOptions['payload'],
  headers: Record<string, string> = {},
): Promise<ApiAnswer<Body>> {
  const [method, path] = call.split(' ') as [string, string];
  const answer = await server.inject({
    method,
    url: `/api/v2${path}`,
    headers: { ...(apiToken === undefined ? {} : { authorization: `Token ${apiToken}` }), ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return {
    status: answer.statusCode,
    body: (isJson ? JSON.parse(answer.payload) : {}) as Body,
    text: answer.payload,
    etag: answer.headers.etag as string | undefined,
    headers: answer.headers,
  };
}
