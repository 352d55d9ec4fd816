import { createHash, randomBytes } from 'node:crypto';
import type { Collections } from '#src/db/schema/collections.js';
import { createAuditStore } from '#src/db/instance/audit-store.js';
import { createUserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { randomId } from '#src/domain/ids.js';
import { passwordProblem } from '#src/domain/people/password.js';
import { createPasswordHasher } from './password-hasher.js';

export interface FirstAdmin {
  email: string;
  /** Default: a random one. */
  password?: string | undefined;
}

/** A constant, so that of several concurrent calls only one creates the account. */
const ID = createHash('sha256')
  .update('runhook first admin')
  .digest('hex')
  .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
const RANDOM_BYTES = 18;

/** Generates a password of 144 random bits. */
export function randomPassword(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/**
 * Creates an admin if there are no users. Safe to repeat and to call concurrently.
 * @returns the credentials of the new account; undefined when users exist
 * @throws InvalidInputError for an unsuitable password
 */
export async function createFirstAdmin(
  { collections, clock }: { collections: Collections; clock: Clock },
  { email, password = randomPassword() }: FirstAdmin,
): Promise<Required<{ email: string; password: string }> | undefined> {
  const users = createUserStore(collections);
  if (!(await users.isEmpty())) return undefined;
  const problem = passwordProblem(password, email);
  if (problem) throw new InvalidInputError(`RUNHOOK_ADMIN_PASSWORD is not valid. ${problem}`);
  const passwordHash = await createPasswordHasher().hash(password);
  const user = { _id: ID, email, name: 'Admin', passwordHash, isAdmin: true, createdAt: clock.now() };
  if (!(await users.insert(user))) return undefined;
  await createAuditStore(collections).insert({
    _id: randomId(),
    at: user.createdAt,
    actor: { type: 'system', name: 'set-up' },
    action: 'user.create',
    target: { type: 'user', id: ID, name: user.email },
    details: { isAdmin: true },
  });
  return { email: user.email, password };
}
