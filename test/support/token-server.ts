import type { Server } from '@hapi/hapi';
import { createApiTokenStore } from '../../src/db/api-tokens.js';
import { createAuditStore } from '../../src/db/audit.js';
import { createMembershipStore } from '../../src/db/memberships.js';
import { createProjectStore } from '../../src/db/projects.js';
import { createSessionStore } from '../../src/db/sessions.js';
import { createUserStore } from '../../src/db/users.js';
import { DEFAULT_LIMITS } from '../../src/domain/limits.js';
import { createServer } from '../../src/server/server.js';
import { createAccessControl } from '../../src/services/access.js';
import { createAudit } from '../../src/services/audit.js';
import { createAuthenticator } from '../../src/services/authenticate.js';
import { createTokenServices } from '../../src/services/tokens.js';
import { serverDeps } from '../builders/server-deps.js';
import { testDatabase } from './database.js';

/** The key of what tests seal. */
export const TEST_KEY = Buffer.alloc(32, 7);

/** The real services of tokens behind the real door, on the shared database; every answer is held against its schema. */
export async function tokenServer(): Promise<Server> {
  const { collections } = await testDatabase();
  return createServer(
    { host: '127.0.0.1', port: 0, checkAnswers: true },
    serverDeps({
      authenticator: createAuthenticator({
        users: createUserStore(collections),
        sessions: createSessionStore(collections),
        apiTokens: createApiTokenStore(collections),
        sessionMs: 3_600_000,
      }),
      access: createAccessControl({
        memberships: createMembershipStore(collections),
        projects: createProjectStore(collections),
      }),
      publicUrl: 'https://runs.example.test',
      tokens: createTokenServices({
        collections,
        secretKeys: [TEST_KEY],
        limits: DEFAULT_LIMITS,
        audit: createAudit(createAuditStore(collections)),
      }),
    }),
  );
}
