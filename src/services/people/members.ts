import type { MembershipStore } from '../../db/memberships.js';
import type { UserStore } from '../../db/users.js';
import { ConflictError, NotFoundError } from '../../domain/errors.js';
import type { Role } from '../../domain/rights.js';
import { NOTHING_HERE } from '../access.js';
import type { Audit, Caller } from '../audit.js';

export interface Member {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  disabled: boolean;
}

/** The members of a project. Nobody can leave it without an owner. */
export interface Members {
  of(projectId: string): Promise<Member[]>;
  /** @throws NotFoundError; ConflictError `last_owner` */
  changeRole(caller: Caller, projectId: string, userId: string, role: Role): Promise<Member>;
  /** @throws NotFoundError; ConflictError `last_owner` */
  remove(caller: Caller, projectId: string, userId: string): Promise<void>;
}

export interface MembersDeps {
  memberships: MembershipStore;
  users: Pick<UserStore, 'named' | 'countEnabled'>;
  audit: Audit;
}

export function createMembers({ memberships, users, audit }: MembersDeps): Members {
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
    if (!found) throw new NotFoundError(NOTHING_HERE);
    return found;
  }

  /**
   * Takes an owner's role and gives it back if nobody else has it: of two owners who take each other's at the same
   * moment, both are refused at worst.
   */
  async function unlessLastOwner(projectId: string, { userId, role }: Member, take: () => Promise<void>) {
    if (role !== 'owner') return await take();
    const hasOwner = async () => {
      const owners = (await memberships.ofProject(projectId)).filter((one) => one.role === 'owner');
      const others = owners.filter((one) => one.userId !== userId).map((one) => one.userId);
      return (await users.countEnabled(others)) > 0;
    };
    const refuse = () => {
      throw new ConflictError('last_owner', 'A project needs an owner. Make somebody else an owner first.');
    };
    if (!(await hasOwner())) refuse();
    await take();
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
    async changeRole(caller, projectId, userId, role) {
      const before = await member(projectId, userId);
      if (before.role === role) return before;
      await unlessLastOwner(projectId, before, () => memberships.put(projectId, userId, role));
      const details = { before: before.role, after: role };
      await audit.note(caller, 'member.changeRole', { ...about(projectId, before), details });
      return { ...before, role };
    },
    async remove(caller, projectId, userId) {
      const before = await member(projectId, userId);
      await unlessLastOwner(projectId, before, () => memberships.remove(projectId, userId));
      await audit.note(caller, 'member.remove', { ...about(projectId, before), details: { role: before.role } });
    },
  };
}
