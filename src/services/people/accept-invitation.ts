import type { InvitationStore } from '../../db/invitations.js';
import type { MembershipStore } from '../../db/memberships.js';
import { normalEmail, type UserStore } from '../../db/users.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../domain/errors.js';
import { randomId } from '../../domain/ids.js';
import { passwordProblem } from '../../domain/password.js';
import type { Invitation, User } from '../../domain/people.js';
import { ROLES, type Role } from '../../domain/rights.js';
import { hashOfToken, looksLikeToken } from '../../domain/token-format.js';
import type { Audit, Caller } from '../audit.js';
import { invalid } from './account.js';
import type { SessionOpener, SignedIn, SignInOrigin } from './open-session.js';
import type { PasswordHasher } from './password-hasher.js';

const NO_INVITATION = 'This invitation is not valid (any more). Ask for a new one.';

/** Of somebody who has no account yet. */
export interface NewAccount {
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
}

export interface InvitationTaking {
  /** What somebody who holds the link may know. @throws NotFoundError */
  look(token: string): Promise<{ projectName: string; role: Role; email?: string; expiresAt: Date }>;
  /**
   * Makes a signed-in person a member, or makes an account for who is not, and signs him in. A role is never lowered.
   * @throws NotFoundError; InvalidInputError; ConflictError `email_taken`
   */
  accept(caller: Caller, token: string, account: NewAccount, origin: SignInOrigin): Promise<Accepted>;
}

export interface Accepted {
  projectId: string;
  /** Of a new account. */
  signedIn?: SignedIn;
}

export interface InvitationTakingDeps {
  invitations: InvitationStore;
  memberships: MembershipStore;
  users: UserStore;
  hasher: Pick<PasswordHasher, 'hash'>;
  openSession: SessionOpener;
  audit: Audit;
  /** Of a project that is there. */
  projectName(id: string): Promise<string | undefined>;
}

export function createInvitationTaking(deps: InvitationTakingDeps): InvitationTaking {
  const { invitations, memberships, users, hasher, openSession, audit } = deps;

  /** An open one, or one that this person has taken already. */
  async function find(token: string, userId?: string): Promise<Invitation & { projectName: string }> {
    const found = looksLikeToken('invitation', token) && (await invitations.findByHash(hashOfToken(token)));
    if (!found || found.revokedAt) throw new NotFoundError(NO_INVITATION);
    const isOpen = found.acceptedAt === undefined && found.expiresAt > new Date();
    if (!isOpen && (userId === undefined || found.acceptedBy !== userId)) throw new NotFoundError(NO_INVITATION);
    const projectName = await deps.projectName(found.projectId);
    if (projectName === undefined) throw new NotFoundError(NO_INVITATION);
    return { ...found, projectName };
  }

  async function take({ _id, projectId, role }: Invitation, userId: string, caller: Caller): Promise<void> {
    if (!(await invitations.take(_id, userId, new Date()))) throw new NotFoundError(NO_INVITATION);
    const has = await memberships.roleOf(userId, projectId);
    if (has !== undefined && ROLES.indexOf(has) >= ROLES.indexOf(role)) return;
    await memberships.put(projectId, userId, role);
    const about = { projectId, target: { type: 'invitation', id: _id }, details: { role } };
    await audit.note(caller, 'invitation.accept', about);
  }

  async function newUser(invitation: Invitation, given: NewAccount): Promise<User> {
    const email = normalEmail(given.email ?? invitation.email ?? '');
    if (email === '') throw invalid('email', 'Say your e-mail address.');
    if (given.password === undefined) throw invalid('password', 'Choose a password, or sign in first.');
    const problem = passwordProblem(given.password, email);
    if (problem) throw invalid('password', problem);
    if (await users.findByEmail(email)) throw emailTaken();
    const passwordHash = await hasher.hash(given.password);
    const name = given.name ?? '';
    return { _id: randomId(), email, name, passwordHash, isAdmin: false, createdAt: new Date() };
  }

  return {
    async look(token) {
      const { projectName, role, email, expiresAt } = await find(token);
      return { projectName, role, expiresAt, ...(email === undefined ? {} : { email }) };
    },

    async accept(caller, token, account, origin) {
      const { principal } = caller;
      if (principal?.projectId !== undefined)
        throw new InvalidInputError('A project’s token cannot join a project. Sign in, or leave the token out.');
      const invitation = await find(token, principal?.userId);
      const { _id, projectId } = invitation;
      if (principal?.userId !== undefined) {
        await take(invitation, principal.userId, caller);
        return { projectId };
      }
      const user = await newUser(invitation, account);
      // First the invitation, which only one can have; an account without a membership would be left otherwise.
      if (!(await invitations.take(_id, user._id, new Date()))) throw new NotFoundError(NO_INVITATION);
      if (!(await users.insert(user))) {
        await invitations.release(_id, user._id);
        throw emailTaken();
      }
      const signedIn = await openSession(user, origin, 'invitation');
      await take(invitation, user._id, { principal: signedIn.principal, address: origin.address });
      return { projectId, signedIn };
    },
  };
}

function emailTaken(): ConflictError {
  return new ConflictError(
    'email_taken',
    'There is an account with this e-mail already. Sign in, then open the link again.',
  );
}
