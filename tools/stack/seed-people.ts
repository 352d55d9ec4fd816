import { createApiTokenStore, type TokenOwner } from '#src/db/tokens/api-token-store.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createUserStore } from '#src/db/people/user-store.js';
import { randomId } from '#src/domain/ids.js';
import { PROJECT_TOKEN_SCOPES, SCOPES, type Scope } from '#src/domain/people/rights.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { randomPassword } from '#src/services/people/create-first-admin.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { readCredentials, writeCredentials, type KnownAdmin } from './credentials-file.js';

/** The account that set-up makes where there is none: an earlier start's, or one with a new random password. */
export interface WantedAdmin {
  email: string;
  password: string;
}

/**
 * What set-up is to make. It is kept before it is made: a start that is cut off between the two knows its password still.
 * @param given by the environment
 */
export function chooseAdmin(file: string, given: { email: string; password?: string }): WantedAdmin {
  const kept = readCredentials(file);
  const password = given.password ?? kept.admin?.password ?? randomPassword();
  const email = kept.admin?.email ?? given.email;
  writeCredentials(file, { ...kept, admin: { ...kept.admin, email, password } });
  return { email, password };
}

export interface SeededPeople {
  /** Absent: the database had accounts before this stack, or it is no admin's any more. */
  admin?: KnownAdmin;
  /** API tokens of projects, by project id. */
  projectTokens: Record<string, string>;
}

/**
 * Looks which of what the file keeps is still so, and makes API tokens of the admin and of projects where there are none:
 * they are the same at every start. All of it is kept in the file.
 */
export async function seedPeople(
  collections: Collections,
  file: string,
  wanted: WantedAdmin,
  projectIds: string[],
): Promise<SeededPeople> {
  const kept = readCredentials(file);
  const admin = await seedAdmin(collections, wanted, kept.admin?.apiToken);
  const projectTokens: Record<string, string> = {};
  for (const projectId of projectIds)
    projectTokens[projectId] = await keepToken(
      collections,
      { projectId },
      PROJECT_TOKEN_SCOPES,
      kept.projectTokens[projectId],
    );
  const seeded = admin ? { admin } : {};
  writeCredentials(file, { ...seeded, projectTokens: { ...kept.projectTokens, ...projectTokens } });
  return { ...seeded, projectTokens };
}

async function seedAdmin(
  collections: Collections,
  { email, password }: WantedAdmin,
  apiToken: string | undefined,
): Promise<KnownAdmin | undefined> {
  const user = await createUserStore(collections).findByEmail(email);
  if (!user?.isAdmin || user.disabledAt) return undefined;
  const fits = await createPasswordHasher().verify(password, user.passwordHash);
  const token = await keepToken(collections, { userId: user._id }, SCOPES, apiToken);
  return { email: user.email, ...(fits ? { password } : {}), apiToken: token };
}

/** The kept token, if it is live and has these scopes; else a new one. */
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
