import { createApiTokenStore, type TokenOwner } from '#src/db/tokens/api-token-store.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createUserStore } from '#src/db/people/user-store.js';
import { randomId } from '#src/domain/ids.js';
import { PROJECT_TOKEN_SCOPES, SCOPES, type Scope } from '#src/domain/people/rights.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { randomPassword } from '#src/services/people/create-first-admin.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { readCredentials, writeCredentials, type KnownAdmin } from './credentials-file.js';

/** The account that setup creates if there is none. */
export interface AdminInput {
  email: string;
  password: string;
}

/**
 * The first account, from the credentials file or with a random password. Written before setup creates the account, so
 * that an interrupted start does not lose the password.
 * @param given from the environment
 */
export function chooseAdmin(file: string, given: { email: string; password?: string }): AdminInput {
  const kept = readCredentials(file);
  const password = given.password ?? kept.admin?.password ?? randomPassword();
  const email = kept.admin?.email ?? given.email;
  writeCredentials(file, { ...kept, admin: { ...kept.admin, email, password } });
  return { email, password };
}

export interface SeededPeople {
  /** Absent: the database had accounts before this stack, or the account is no longer an enabled admin. */
  admin?: KnownAdmin;
  /** API tokens of projects, by project id. */
  projectTokens: Record<string, string>;
}

/**
 * Verifies the stored credentials, creates missing API tokens of the admin and of projects, and stores them, so that they
 * are the same at every start.
 */
export async function seedPeople(
  collections: Collections,
  file: string,
  input: AdminInput,
  projectIds: string[],
): Promise<SeededPeople> {
  const kept = readCredentials(file);
  const admin = await seedAdmin(collections, input, kept.admin?.apiToken);
  const projectTokens: Record<string, string> = {};
  for (const projectId of projectIds)
    projectTokens[projectId] = await keepToken(
      collections,
      { projectId },
      PROJECT_TOKEN_SCOPES,
      kept.projectTokens[projectId],
    );
  writeCredentials(file, { admin, projectTokens: { ...kept.projectTokens, ...projectTokens } });
  return { admin, projectTokens };
}

async function seedAdmin(
  collections: Collections,
  { email, password }: AdminInput,
  apiToken: string | undefined,
): Promise<KnownAdmin | undefined> {
  const user = await createUserStore(collections).findByEmail(email);
  if (!user?.isAdmin || user.disabledAt) return undefined;
  const isCurrent = await createPasswordHasher().verify(password, user.passwordHash);
  const token = await keepToken(collections, { userId: user._id }, SCOPES, apiToken);
  return { email: user.email, password: isCurrent ? password : undefined, apiToken: token };
}

/** The stored token if it is live and has these scopes; else a new one. */
async function keepToken(
  collections: Collections,
  owner: TokenOwner,
  scopes: readonly Scope[],
  kept: string | undefined,
): Promise<string> {
  const store = createApiTokenStore(collections);
  const live = kept === undefined ? undefined : await store.findLive(hashOfToken(kept), new Date());
  if (kept !== undefined && live && scopes.every((scope) => live.scopes.includes(scope))) return kept;
  const token = newToken('api');
  await store.insert({
    _id: hashOfToken(token),
    id: randomId(),
    name: 'npm start',
    scopes: [...scopes],
    createdAt: new Date(),
    createdBy: 'npm start',
    ...owner,
  });
  return token;
}
