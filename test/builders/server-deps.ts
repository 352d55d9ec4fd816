import { pino } from 'pino';
import type { Principal } from '#src/domain/people/rights.js';
import { SCOPES } from '#src/domain/people/rights.js';
import { createMetrics } from '#src/server/metrics/metrics.js';
import type { ServerDeps } from '#src/server/server.js';
import { createAccessControl } from '#src/services/access/access-control.js';
import { aClock } from './clock.js';
import { aMetricsSource } from './metrics-source.js';

/** A signed-in admin of the instance, with access to everything. */
export const ADMIN: Principal = {
  via: 'session',
  userId: '00000000-0000-4000-8000-000000000001',
  name: 'admin@example.test',
  isAdmin: true,
  scopes: SCOPES,
  credentialId: '00000000-0000-4000-8000-000000000002',
};

const unused = async () => {
  throw new Error('not part of this test');
};

/** Dependencies of a server for tests of a part of it: an admin is signed in, everything else throws. */
export function serverDeps(some: Partial<ServerDeps> = {}): ServerDeps {
  return {
    trigger: { byWebhook: unused, byApi: unused },
    refusals: { run: (_caller, check) => check(), stop: () => {} },
    reader: { find: unused, nameOf: unused, projectName: unused },
    streams: { open: unused, end: () => {} },
    publicUrl: 'https://runs.example.test',
    sessionMs: 3_600_000,
    visibleProjects: async () => undefined,
    version: '0.0.0',
    clock: aClock(),
    owners: async () => '00000000-0000-4000-8000-000000000003',
    people: {},
    tokens: {},
    definitions: {},
    runs: {},
    instance: {},
    stats: {},
    authenticator: { principalOf: async () => ADMIN },
    access: createAccessControl({
      memberships: { roleOf: unused, ofUser: unused },
      projects: { isArchived: async () => false, liveAmong: unused },
    }),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(aMetricsSource()),
    drain: () => 'serving',
    ...some,
  } as ServerDeps;
}
