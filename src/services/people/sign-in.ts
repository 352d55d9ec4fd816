import { normalEmail, type UserStore } from '#src/db/people/user-store.js';
import { UnauthorizedError } from '#src/domain/errors.js';
import type { User } from '#src/domain/people/people.js';
import type { Audit } from './audit-log.js';
import { knownDevice } from './known-device.js';
import type { SessionOpener, SignedIn, SignInOrigin } from './open-session.js';
import type { PasswordHasher } from './password-hasher.js';
import type { SignInAttempt, SignInThrottle } from './sign-in-throttle.js';

/** The same message for every failed sign-in, so as not to reveal which part was wrong. */
export const SIGN_IN_FAILED = 'The email address or password is wrong.';

export interface SignInDeps {
  users: Pick<UserStore, 'findByEmail'>;
  hasher: Pick<PasswordHasher, 'verify'>;
  throttle: SignInThrottle;
  openSession: SessionOpener;
  audit: Audit;
  /** Runs in the background. */
  removeExpired(): void;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
}

/**
 * Signs a person in by email and password.
 * @throws UnauthorizedError; TooManyError after too many failures; UnavailableError when too many people are signing in
 */
export type SignIn = (given: { email: string; password: string }, origin: SignInOrigin) => Promise<SignedIn>;

export function createSignIn({
  users,
  hasher,
  throttle,
  openSession,
  audit,
  removeExpired,
  secretKeys,
}: SignInDeps): SignIn {
  return async ({ email, password }, origin) => {
    removeExpired();
    const user = await users.findByEmail(email);
    const attempt = attemptOf(normalEmail(email), user, origin, secretKeys);
    await throttle.begin(attempt);
    // Always both: neither the response nor its time may reveal whether the account exists.
    const isRight = await hasher.verify(password, user?.passwordHash);
    if (!user || !isRight || user.disabledAt) {
      await audit.note({ address: origin.address }, 'session.refuse', refusalOf(user));
      throw new UnauthorizedError(SIGN_IN_FAILED);
    }
    await throttle.succeeded(attempt);
    return openSession(user, origin, 'password');
  };
}

/** @param user undefined: the account does not exist */
export function attemptOf(
  email: string,
  user: User | undefined,
  { address, device }: SignInOrigin,
  secretKeys: readonly Buffer[],
): SignInAttempt {
  return {
    email,
    address,
    device: user && knownDevice(secretKeys, user._id, device),
    isKnownAddress: user?.knownAddresses?.includes(address) ?? false,
  };
}

/** An unknown email is not recorded: people type passwords into the wrong field. */
function refusalOf(user: User | undefined) {
  if (!user) return { details: { reason: 'unknown email' } };
  const reason = user.disabledAt ? 'account disabled' : 'wrong password';
  return { target: { type: 'user', id: user._id, name: user.email }, details: { reason } };
}
