import type { InvitationStore } from '#src/db/people/invitation-store.js';
import type { MembershipStore } from '#src/db/people/membership-store.js';
import { normalEmail, type UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError, ForbiddenError, NotFoundError, invalidField } from '#src/domain/errors.js';
import { idOfCreation, randomId } from '#src/domain/ids.js';
import { passwordProblem } from '#src/domain/people/password.js';
import type { Invitation, User } from '#src/domain/people/people.js';
import type { Role } from '#src/domain/people/rights.js';
import { hashOfToken, looksLikeToken } from '#src/domain/tokens/token-format.js';
import type { Audit, Caller } from './audit-log.js';
import type { SessionOpener, SignedIn, SignInOrigin } from './open-session.js';
import type { PasswordHasher } from './password-hasher.js';
import { attemptOf } from './sign-in.js';
import type { SignInThrottle } from './sign-in-throttle.js';

const NO_INVITATION = 'This invitation was already used or revoked, or has expired. Ask for a new one.';

/** Input of a person without an account. */
export interface NewAccount {
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
}

export type InvitationAcceptance = ReturnType<typeof createInvitationAcceptance>;

export interface Accepted {
  projectId: string;
  /** Only for a new account. */
  signedIn?: SignedIn;
}

export interface InvitationAcceptanceDeps {
  invitations: Pick<InvitationStore, 'findByHash' | 'claim' | 'release' | 'reserveFor'>;
  memberships: Pick<MembershipStore, 'roleOf' | 'prepare' | 'isPrepared' | 'apply' | 'withdraw'>;
  users: Pick<UserStore, 'find' | 'findByEmail' | 'insert'>;
  hasher: Pick<PasswordHasher, 'hash'>;
  throttle: SignInThrottle;
  openSession: SessionOpener;
  audit: Audit;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  clock: Clock;
  /** The name of a project that is not deleted. */
  projectName(id: string): Promise<string | undefined>;
}

/**
 * A process may end between the writes to the invitation and to the membership. So a grant with a new ID is prepared in
 * the membership, the invitation is claimed with this ID, and then the grant is applied. Every later change of the
 * membership voids a prepared grant. See docs/decisions/people/invitations.md.
 */
export function createInvitationAcceptance(deps: InvitationAcceptanceDeps) {
  const { invitations, memberships, users, audit } = deps;

  /** Finds an open invitation, or one whose acceptance was interrupted: then `acceptedBy` may complete it. */
  async function find(token: string): Promise<Invitation & { projectName: string }> {
    const found = looksLikeToken('invitation', token) && (await invitations.findByHash(hashOfToken(token)));
    if (!found || found.revokedAt || found.expiresAt <= deps.clock.now()) throw new NotFoundError(NO_INVITATION);
    const [projectName, isPending, mayInvite] = await Promise.all([
      deps.projectName(found.projectId),
      found.acceptedBy === undefined || memberships.isPrepared(found.projectId, found.acceptedBy, found.grant ?? ''),
      creatorMayInvite(found),
    ]);
    if (projectName === undefined || !isPending || !mayInvite) throw new NotFoundError(NO_INVITATION);
    return { ...found, projectName };
  }

  /** Whether the creator of the invitation still has the right to invite. */
  async function creatorMayInvite({ projectId, createdBy, createdById }: Invitation): Promise<boolean> {
    const creator = await (createdById === undefined ? users.findByEmail(createdBy) : users.find(createdById));
    if (!creator || creator.disabledAt) return false;
    return creator.isAdmin || (await memberships.roleOf(creator._id, projectId)) === 'owner';
  }

  /** @returns the ID of the person's grant. @throws NotFoundError when another person has accepted the invitation */
  async function claim(invitation: Invitation, token: string, userId: string): Promise<string> {
    const { _id, projectId } = invitation;
    const now = invitation.acceptedBy === undefined ? await claimNew(_id, projectId, userId, token) : invitation;
    if (now.acceptedBy !== userId || now.grant === undefined) throw new NotFoundError(NO_INVITATION);
    return now.grant;
  }

  async function claimNew(_id: string, projectId: string, userId: string, token: string) {
    const grant = randomId();
    await memberships.prepare(projectId, userId, grant);
    if (await invitations.claim(_id, { userId, grant })) return { acceptedBy: userId, grant };
    await memberships.withdraw(projectId, userId, grant);
    return find(token);
  }

  async function applyGrant({ _id, projectId, role }: Invitation, grant: string, caller: Caller): Promise<void> {
    if (!(await memberships.apply(projectId, caller.principal!.userId!, grant, role))) return;
    const about = { projectId, target: { type: 'invitation', id: _id }, details: { role } };
    await audit.note(caller, 'invitation.accept', about);
  }

  /** Finds an acceptance that has already taken effect: the response of the earlier call may have been lost. */
  async function findCompleted(token: string, userId: string): Promise<Accepted | undefined> {
    const found = looksLikeToken('invitation', token) && (await invitations.findByHash(hashOfToken(token)));
    if (!found || found.acceptedBy !== userId || (await deps.projectName(found.projectId)) === undefined)
      return undefined;
    const { projectId } = found;
    const isDone = !(await memberships.isPrepared(projectId, userId, found.grant ?? ''));
    return isDone && (await memberships.roleOf(userId, projectId)) !== undefined ? { projectId } : undefined;
  }

  async function join(caller: Caller, token: string): Promise<Accepted> {
    const { userId, name } = caller.principal!;
    const completed = await findCompleted(token, userId!);
    if (completed) return completed;
    const invitation = await find(token);
    if (invitation.email !== undefined && invitation.email !== normalEmail(name)) throw otherEmail();
    await applyGrant(invitation, await claim(invitation, token, userId!), caller);
    return { projectId: invitation.projectId };
  }

  /** Reads only the invitation until it is certain that this call may create an account for the email address. */
  async function newUser(invitation: Invitation, given: NewAccount, origin: SignInOrigin): Promise<User> {
    const email = normalEmail(given.email ?? invitation.email ?? '');
    if (email === '') throw invalidField('email', 'Enter your email address.');
    if (given.password === undefined) throw invalidField('password', 'Choose a password, or sign in first.');
    const problem = passwordProblem(given.password, email);
    if (problem) throw invalidField('password', problem);
    const attempt = attemptOf(email, undefined, origin, deps.secretKeys);
    await deps.throttle.begin(attempt);
    const reservedEmail = invitation.email ?? (await invitations.reserveFor(invitation._id, email));
    if (reservedEmail !== email) throw signInFirst();
    // Always hashed, so that the response time does not reveal whether an account exists.
    const passwordHash = await deps.hasher.hash(given.password);
    if (await users.findByEmail(email)) throw signInFirst();
    await deps.throttle.succeeded(attempt);
    // Deterministic, so that a repeat of an interrupted call creates the same account.
    const _id = idOfCreation(`invitation ${invitation._id}`, 'user', email);
    return { _id, email, name: given.name ?? '', passwordHash, isAdmin: false, createdAt: deps.clock.now() };
  }

  async function joinWithNewAccount(token: string, account: NewAccount, origin: SignInOrigin): Promise<Accepted> {
    const invitation = await find(token);
    const { _id, projectId } = invitation;
    const user = await newUser(invitation, account, origin);
    const grant = await claim(invitation, token, user._id);
    if (!(await users.insert(user))) {
      // Either a concurrent repeat of this call, or someone else has just created an account for this email address.
      if ((await users.findByEmail(user.email))?._id !== user._id) {
        await invitations.release(_id, grant);
        await memberships.withdraw(projectId, user._id, grant);
      }
      throw signInFirst();
    }
    const signedIn = await deps.openSession(user, origin, 'invitation');
    await applyGrant(invitation, grant, { principal: signedIn.principal, address: origin.address });
    return { projectId, signedIn };
  }

  return {
    /** Describes the invitation to anyone who has the link. @throws NotFoundError */
    async preview(token: string): Promise<{ projectName: string; role: Role; email?: string; expiresAt: Date }> {
      const { projectName, role, email, expiresAt } = await find(token);
      return { projectName, role, expiresAt, email };
    },

    /**
     * Makes a signed-in person a member, or creates an account and signs the person in. Never lowers a role. An
     * invitation takes effect once; a repeat by the same person only completes an interrupted call.
     * @throws NotFoundError; InvalidInputError; TooManyError; ForbiddenError `session_required` for an API token;
     *   ConflictError `other_email` or `sign_in_first`
     */
    async accept(caller: Caller, token: string, account: NewAccount, origin: SignInOrigin) {
      if (caller.principal === undefined) return joinWithNewAccount(token, account, origin);
      if (caller.principal.via !== 'session')
        throw new ForbiddenError(
          'API tokens cannot accept invitations. Sign in, or send no token to create an account.',
          'session_required',
        );
      return join(caller, token);
    },
  };
}

function otherEmail(): ConflictError {
  return new ConflictError(
    'other_email',
    'This invitation is for a different email address. Sign in with that address, or ask for an invitation for yours.',
  );
}

/** The same error for an existing account and for an address other than the invitation's, to reveal neither. */
function signInFirst(): ConflictError {
  return new ConflictError(
    'sign_in_first',
    'This invitation cannot create an account for this email address. If you have an account, sign in and open the link again. Otherwise, ask for an invitation for your address.',
  );
}
