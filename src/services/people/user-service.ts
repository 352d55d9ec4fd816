import type { InvitationStore } from '#src/db/people/invitation-store.js';
import type { SessionStore } from '#src/db/people/session-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import { passwordProblem } from '#src/domain/people/password.js';
import type { User } from '#src/domain/people/people.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from './audit-log.js';
import { invalid } from './account-service.js';
import type { PasswordHasher } from './password-hasher.js';

export interface NewUser {
  email: string;
  name: string;
  password: string;
  isAdmin: boolean;
}

/** All people of the instance, for its admins. Nobody can leave it without an admin. */
export interface Users {
  page(request: PageRequest): Promise<Page<User>>;
  /** @throws NotFoundError */
  get(id: string): Promise<User>;
  /** @throws InvalidInputError; ConflictError `email_taken`; IdempotencyConflictError */
  create(caller: Caller, user: NewUser, idempotencyKey?: string): Promise<User>;
  /** A disabled person's sessions end, and open invitations of theirs are revoked. @throws NotFoundError; ConflictError `last_admin` */
  change(caller: Caller, id: string, change: { isAdmin?: boolean; disabled?: boolean }): Promise<User>;
}

export interface UsersDeps {
  users: UserStore;
  sessions: Pick<SessionStore, 'endOthers'>;
  invitations: Pick<InvitationStore, 'revokeAll'>;
  hasher: Pick<PasswordHasher, 'hash'>;
  audit: Audit;
  /** The database's. */
  clock: Clock;
}

export function createUsers({ users, sessions, invitations, hasher, audit, clock }: UsersDeps): Users {
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
    page: (request) => users.page(request),
    get,

    async create(caller, wanted, idempotencyKey) {
      const { email, name, password, isAdmin } = wanted;
      const problem = passwordProblem(password, email);
      if (problem) throw invalid('password', problem);
      const creation = creationOf(caller.principal!, 'user', idempotencyKey, wanted);
      const passwordHash = await hasher.hash(password);
      const made = await users.create({ ...creation, email, name, passwordHash, isAdmin, createdAt: clock.now() });
      if (!made) throw new ConflictError('email_taken', 'An account with this email address already exists.');
      if (made.isNew) await audit.note(caller, 'user.create', { ...about(made.document), details: { isAdmin } });
      return made.document;
    },

    async change(caller, id, { isAdmin, disabled }) {
      const before = await get(id);
      const wasDisabled = before.disabledAt !== undefined;
      const wanted = { isAdmin: isAdmin ?? before.isAdmin, disabled: disabled ?? wasDisabled };
      if (wanted.isAdmin === before.isAdmin && wanted.disabled === wasDisabled) return before;
      // Refused before it changes anything: a disabled account's sessions do not come back.
      const wasActing = before.isAdmin && !wasDisabled;
      if (wasActing && (!wanted.isAdmin || wanted.disabled) && (await users.countEnabledAdmins()) <= 1)
        throw lastAdmin();
      const after = await apply(before, wanted.isAdmin, wanted.disabled);
      // Looked at behind the change, which is taken back: two admins who change each other at once cannot both succeed.
      if (wasActing && (await users.countEnabledAdmins()) === 0) {
        await apply(before, true, false);
        throw lastAdmin();
      }
      if (wanted.disabled) {
        await sessions.endOthers(id, undefined);
        await invitations.revokeAll({ creator: { userId: id, email: before.email } });
      }
      await audit.note(caller, 'user.change', { ...about(after), details: wanted });
      return after;
    },
  };
}

function lastAdmin(): ConflictError {
  return new ConflictError('last_admin', 'The instance needs at least one admin. Make someone else an admin first.');
}
