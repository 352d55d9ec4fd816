import type { SessionStore } from '#src/db/people/session-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { NotFoundError, UnauthorizedError, invalidField } from '#src/domain/errors.js';
import { passwordProblem } from '#src/domain/people/password.js';
import type { User } from '#src/domain/people/people.js';
import type { Principal } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from './audit-log.js';
import type { SignInOrigin } from './open-session.js';
import type { PasswordHasher } from './password-hasher.js';
import { attemptOf } from './sign-in.js';
import type { SignInThrottle } from './sign-in-throttle.js';

export type Account = ReturnType<typeof createAccount>;

export interface PasswordChange {
  /** Ignored for an account without a password (OpenID Connect). */
  currentPassword: string;
  newPassword: string;
}

export interface AccountDeps {
  users: UserStore;
  sessions: SessionStore;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  audit: Audit;
  clock: Clock;
  secretKeys: Buffer[];
}

/** Operations of signed-in people on their own account. */
export function createAccount({ users, sessions, hasher, throttle, audit, clock, secretKeys }: AccountDeps) {
  const ownUser = async ({ principal }: Caller): Promise<User> => {
    const user = await users.find(principal!.userId!);
    if (!user) throw new UnauthorizedError('This account no longer exists.');
    return user;
  };
  const target = ({ _id, email }: User) => ({ target: { type: 'user', id: _id, name: email } });

  async function checkCurrent(user: User, password: string, origin: SignInOrigin): Promise<void> {
    if (user.passwordHash === undefined) return;
    // A stolen session must not allow guessing the password.
    const attempt = attemptOf(user.email, user, origin, secretKeys);
    await throttle.begin(attempt);
    if (!(await hasher.verify(password, user.passwordHash)))
      throw invalidField('currentPassword', 'The current password is wrong.');
    await throttle.succeeded(attempt);
  }

  return {
    find: async ({ userId }: Principal) => (userId === undefined ? undefined : users.find(userId)),

    async rename(caller: Caller, name: string) {
      const user = await users.change(caller.principal!.userId!, { name });
      if (!user) throw new UnauthorizedError('This account no longer exists.');
      await audit.note(caller, 'user.rename', { ...target(user), details: { name } });
      return user;
    },

    /**
     * Ends all other sessions too.
     * @throws InvalidInputError for an unsuitable new or a wrong current password; TooManyError after too many attempts
     */
    async changePassword(caller: Caller, { currentPassword, newPassword }: PasswordChange, origin: SignInOrigin) {
      const user = await ownUser(caller);
      const problem = passwordProblem(newPassword, user.email);
      if (problem) throw invalidField('newPassword', problem);
      await checkCurrent(user, currentPassword, origin);
      // Changing the user invalidates all sessions; the current one is then renewed, and the others are removed.
      const changed = await users.change(user._id, { passwordHash: await hasher.hash(newPassword) });
      if (!changed) throw new UnauthorizedError('This account no longer exists.');
      await sessions.keep(user._id, caller.principal!.credentialId, changed.credentialVersion ?? 0);
      await sessions.endOthers(user._id, caller.principal!.credentialId);
      await audit.note(caller, 'user.changePassword', target(user));
    },

    sessions: ({ userId }: Principal) => sessions.ofUser(userId!, clock.now()),

    /** @throws NotFoundError */
    async endSession(caller: Caller, id: string) {
      if (!(await sessions.end(caller.principal!.userId!, id))) throw new NotFoundError(RESOURCE_NOT_FOUND);
      await audit.note(caller, 'session.end', { target: { type: 'session', id } });
    },

    /** Ends the session that the caller uses. */
    async signOut(caller: Caller) {
      const { userId, credentialId } = caller.principal!;
      if (await sessions.end(userId!, credentialId))
        await audit.note(caller, 'session.end', { target: { type: 'session', id: credentialId } });
    },
  };
}
