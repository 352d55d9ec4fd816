import type { InvitationStore } from '#src/db/people/invitation-store.js';
import type { SessionStore } from '#src/db/people/session-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError, NotFoundError, invalidField } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import { passwordProblem } from '#src/domain/people/password.js';
import type { User } from '#src/domain/people/people.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from './audit-log.js';
import type { PasswordHasher } from './password-hasher.js';

export interface NewUser {
  email: string;
  name: string;
  password: string;
  isAdmin: boolean;
}

export type Users = ReturnType<typeof createUsers>;

export interface UsersDeps {
  users: UserStore;
  sessions: Pick<SessionStore, 'endOthers'>;
  invitations: Pick<InvitationStore, 'revokeAll'>;
  hasher: Pick<PasswordHasher, 'hash'>;
  audit: Audit;
  /** The database's. */
  clock: Clock;
}

/** All users of the instance, for its admins. The instance always has an enabled admin. */
export function createUsers({ users, sessions, invitations, hasher, audit, clock }: UsersDeps) {
  const about = ({ _id, email }: User) => ({ target: { type: 'user', id: _id, name: email } });

  async function get(id: string): Promise<User> {
    const user = await users.find(id);
    if (!user) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return user;
  }

  async function apply(before: User, isAdmin: boolean, disabled: boolean): Promise<User> {
    const disabledAt = disabled ? (before.disabledAt ?? clock.now()) : null;
    const after = await users.change(before._id, { isAdmin, disabledAt });
    if (!after) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return after;
  }

  return {
    page: (request: PageRequest): Promise<Page<User>> => users.page(request),
    /** @throws NotFoundError */
    get,

    /** @throws InvalidInputError; ConflictError `email_taken`; IdempotencyConflictError */
    async create(caller: Caller, input: NewUser, idempotencyKey?: string) {
      const { email, name, password, isAdmin } = input;
      const problem = passwordProblem(password, email);
      if (problem) throw invalidField('password', problem);
      const creation = creationOf(caller.principal!, 'user', idempotencyKey, input);
      const passwordHash = await hasher.hash(password);
      const created = await users.create({ ...creation, email, name, passwordHash, isAdmin, createdAt: clock.now() });
      if (!created) throw new ConflictError('email_taken', 'An account with this email address already exists.');
      if (created.isNew) await audit.note(caller, 'user.create', { ...about(created.document), details: { isAdmin } });
      return created.document;
    },

    /** Disabling ends the user's sessions and revokes their open invitations. @throws NotFoundError; ConflictError `last_admin` */
    async change(caller: Caller, id: string, { isAdmin, disabled }: { isAdmin?: boolean; disabled?: boolean }) {
      const before = await get(id);
      const wasDisabled = before.disabledAt !== undefined;
      const next = { isAdmin: isAdmin ?? before.isAdmin, disabled: disabled ?? wasDisabled };
      if (next.isAdmin === before.isAdmin && next.disabled === wasDisabled) return before;
      // Checked before any change, because the sessions of a disabled account cannot be restored.
      const wasActiveAdmin = before.isAdmin && !wasDisabled;
      if (wasActiveAdmin && (!next.isAdmin || next.disabled) && (await users.countEnabledAdmins()) <= 1)
        throw lastAdmin();
      const after = await apply(before, next.isAdmin, next.disabled);
      // Checked again and rolled back: two admins who change each other concurrently must not both succeed.
      if (wasActiveAdmin && (await users.countEnabledAdmins()) === 0) {
        await apply(before, true, false);
        throw lastAdmin();
      }
      if (next.disabled) {
        await sessions.endOthers(id, undefined);
        await invitations.revokeAll({ creator: { userId: id, email: before.email } });
      }
      await audit.note(caller, 'user.change', { ...about(after), details: next });
      return after;
    },
  };
}

function lastAdmin(): ConflictError {
  return new ConflictError('last_admin', 'The instance needs at least one admin. Make someone else an admin first.');
}
