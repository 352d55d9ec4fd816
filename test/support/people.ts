import type { Collections } from '#src/db/schema/collections.js';
import { createApiTokenStore } from '#src/db/tokens/api-token-store.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { createSessionStore } from '#src/db/people/session-store.js';
import { createUserStore } from '#src/db/people/user-store.js';
import { randomId } from '#src/domain/ids.js';
import type { ApiToken } from '#src/domain/people/people.js';
import { PROJECT_TOKEN_SCOPES, SCOPES, type Role, type Scope } from '#src/domain/people/rights.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { csrfTokenOf } from '#src/services/access/authenticate.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';

const DAY = 24 * 3_600_000;

export interface TestPerson {
  userId: string;
  email: string;
  /** A personal API token with all scopes. */
  apiToken: string;
  /** Headers of a script with the token. */
  tokenHeaders: { authorization: string };
  /** Headers of a browser that is signed in, CSRF token included. */
  sessionHeaders: { cookie: string; 'x-csrf-token': string };
}

export interface PersonOptions {
  isAdmin?: boolean;
  name?: string;
  email?: string;
  /** For the sign-in form. */
  password?: string;
  /** Roles by project id. */
  roles?: Record<string, Role>;
}

/** Creates a signed-in person with an API token in the database. */
export async function addPerson(collections: Collections, options: PersonOptions = {}): Promise<TestPerson> {
  const userId = randomId();
  const { name = 'Somebody', email = `${userId.slice(0, 8)}@example.test`, password } = options;
  const now = new Date();
  await createUserStore(collections).insert({
    _id: userId,
    email,
    name,
    ...(password ? { passwordHash: await createPasswordHasher().hash(password) } : {}),
    isAdmin: options.isAdmin ?? false,
    createdAt: now,
  });
  for (const [projectId, role] of Object.entries(options.roles ?? {}))
    await createMembershipStore(collections).put(projectId, userId, role);
  const session = newToken('session');
  await createSessionStore(collections).insert({
    _id: hashOfToken(session),
    id: randomId(),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + DAY),
    address: '127.0.0.1',
    userAgent: 'test',
  });
  const apiToken = await addApiToken(collections, { userId });
  return {
    userId,
    email,
    apiToken,
    tokenHeaders: { authorization: `Token ${apiToken}` },
    sessionHeaders: { cookie: `runhook_session=${session}`, 'x-csrf-token': csrfTokenOf(session) },
  };
}

/** Creates an API token of a person or of a project in the database. @returns the token */
export async function addApiToken(
  collections: Collections,
  owner: { userId: string } | { projectId: string },
  scopes: readonly Scope[] = 'userId' in owner ? SCOPES : PROJECT_TOKEN_SCOPES,
): Promise<string> {
  const token = newToken('api');
  const record: ApiToken = {
    _id: hashOfToken(token),
    id: randomId(),
    name: 'test',
    scopes: [...scopes],
    createdAt: new Date(),
    createdBy: 'test@example.test',
    ...owner,
  };
  await createApiTokenStore(collections).insert(record);
  return token;
}
