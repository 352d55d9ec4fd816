import type { ApiTokenStore } from '#src/db/tokens/api-token-store.js';
import type { InvitationStore } from '#src/db/people/invitation-store.js';
import type { MembershipStore } from '#src/db/people/membership-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import type { Role } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from './audit-log.js';

export interface Member {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  disabled: boolean;
}

export type Members = ReturnType<typeof createMembers>;

export interface RemovalOptions {
  /** Also revoke the API tokens of the project that the member created. */
  revokeTokens: boolean;
}

export interface MembersDeps {
  memberships: MembershipStore;
  users: Pick<UserStore, 'named' | 'countEnabled'>;
  invitations: Pick<InvitationStore, 'revokeAll'>;
  apiTokens: Pick<ApiTokenStore, 'countCreatedBy' | 'revokeCreatedBy'>;
  audit: Audit;
}

/** The members of a project. A project always has an owner. */
export function createMembers({ memberships, users, invitations, apiTokens, audit }: MembersDeps) {
  async function of(projectId: string): Promise<Member[]> {
    const found = await memberships.ofProject(projectId);
    const byId = new Map((await users.named(found.map(({ userId }) => userId))).map((user) => [user._id, user]));
    return found.flatMap(({ userId, role, createdAt }) => {
      const user = byId.get(userId);
      if (!user) return [];
      const { email, name, disabledAt } = user;
      return [{ userId, email, name, role, createdAt, disabled: disabledAt !== undefined }];
    });
  }

  async function member(projectId: string, userId: string): Promise<Member> {
    const found = (await of(projectId)).find((one) => one.userId === userId);
    if (!found) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return found;
  }

  /**
   * Revokes what an owner created. Called before the role changes, so that an interrupted call can be repeated, and
   * after it, to include what was created in between.
   */
  async function revokeCreations(projectId: string, creator: Member, { revokeTokens }: RemovalOptions) {
    return {
      invitations: await invitations.revokeAll({ projectId, creator }),
      tokens: revokeTokens ? await apiTokens.revokeCreatedBy(projectId, creator) : 0,
    };
  }

  /**
   * Removes an owner's role and restores it if there is no other owner: of two owners who remove each other
   * concurrently, at worst both calls fail.
   */
  async function unlessLastOwner(projectId: string, { userId, role }: Member, demote: () => Promise<void>) {
    if (role !== 'owner') return await demote();
    const hasOwner = async () => {
      const owners = (await memberships.ofProject(projectId)).filter((one) => one.role === 'owner');
      const others = owners.filter((one) => one.userId !== userId).map((one) => one.userId);
      return (await users.countEnabled(others)) > 0;
    };
    const refuse = () => {
      throw new ConflictError('last_owner', 'A project needs at least one owner. Make someone else an owner first.');
    };
    if (!(await hasOwner())) refuse();
    await demote();
    if (await hasOwner()) return;
    await memberships.put(projectId, userId, 'owner');
    refuse();
  }

  const about = (projectId: string, { userId, email }: Member) => ({
    projectId,
    target: { type: 'user', id: userId, name: email },
  });

  return {
    of,
    /** Revokes the open invitations of a former owner. @throws NotFoundError; ConflictError `last_owner` */
    async changeRole(caller: Caller, projectId: string, userId: string, role: Role) {
      const before = await member(projectId, userId);
      if (before.role === role) return before;
      await unlessLastOwner(projectId, before, () => memberships.put(projectId, userId, role));
      await revokeCreations(projectId, before, { revokeTokens: false });
      const details = { before: before.role, after: role };
      await audit.note(caller, 'member.changeRole', { ...about(projectId, before), details });
      return { ...before, role };
    },
    /** Revokes the member's open invitations too. @throws NotFoundError; ConflictError `last_owner` */
    async remove(caller: Caller, projectId: string, userId: string, options: RemovalOptions) {
      const before = await member(projectId, userId);
      const revoked = { invitations: 0, tokens: 0 };
      const revoke = async () => {
        const more = await revokeCreations(projectId, before, options);
        revoked.invitations += more.invitations;
        revoked.tokens += more.tokens;
      };
      await unlessLastOwner(projectId, before, async () => {
        await revoke();
        await memberships.remove(projectId, userId);
      });
      await revoke();
      const details = { role: before.role, revokedInvitations: revoked.invitations, revokedTokens: revoked.tokens };
      const action = caller.principal?.userId === userId ? 'member.leave' : 'member.remove';
      await audit.note(caller, action, { ...about(projectId, before), details });
    },
    /** Counts the API tokens of the project that this person created and that are not revoked. */
    countTokensOf: (projectId: string, member: Pick<Member, 'userId' | 'email'>) =>
      apiTokens.countCreatedBy(projectId, member),
  };
}
