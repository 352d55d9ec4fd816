import type { Membership } from '#src/domain/people/people.js';
import { ROLES, type Role } from '#src/domain/people/rights.js';
import { literals } from '#src/db/query/literals.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 2000;

/** Members of projects. Each call throws the driver's error when the database does not answer in time. */
export interface MembershipStore {
  roleOf(userId: string, projectId: string): Promise<Role | undefined>;
  ofUser(userId: string): Promise<Membership[]>;
  ofProject(projectId: string): Promise<Membership[]>;
  /** Adds a member or changes the role, and withdraws prepared grants. Safe to repeat. */
  put(projectId: string, userId: string, role: Role): Promise<void>;
  /** Also withdraws prepared grants. */
  remove(projectId: string, userId: string): Promise<void>;
  /** Prepares a grant, to be applied later. @param grant unique id */
  prepare(projectId: string, userId: string, grant: string): Promise<void>;
  /** Whether a grant is prepared, and neither applied nor withdrawn. */
  isPrepared(projectId: string, userId: string, grant: string): Promise<boolean>;
  /** Applies a prepared grant once: sets the role, unless the person has a higher one. @returns whether it was applied */
  apply(projectId: string, userId: string, grant: string, role: Role): Promise<boolean>;
  withdraw(projectId: string, userId: string, grant: string): Promise<void>;
}

const idOf = (projectId: string, userId: string) => `${projectId}:${userId}`;

const isMember = { role: { $exists: true } };

export function createMembershipStore({ memberships }: Pick<Collections, 'memberships'>): MembershipStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  const begun = (projectId: string, userId: string) => ({
    $set: { ...literals({ projectId, userId }), createdAt: { $ifNull: ['$createdAt', '$$NOW'] } },
  });
  return {
    roleOf: async (userId, projectId) => (await memberships.findOne({ _id: idOf(projectId, userId) }, options))?.role,
    ofUser: (userId) => memberships.find({ userId, ...isMember }, options).toArray(),
    ofProject: (projectId) =>
      memberships
        .find({ projectId, ...isMember }, options)
        .sort({ createdAt: 1, _id: 1 })
        .toArray(),
    async put(projectId, userId, role) {
      await memberships.updateOne(
        { _id: idOf(projectId, userId) },
        [begun(projectId, userId), { $set: literals({ role }) }, { $unset: 'grants' }],
        { upsert: true },
      );
    },
    remove: async (projectId, userId) => void (await memberships.deleteOne({ _id: idOf(projectId, userId) })),
    async prepare(projectId, userId, grant) {
      await memberships.updateOne(
        { _id: idOf(projectId, userId) },
        [
          begun(projectId, userId),
          { $set: { grants: { $concatArrays: [{ $ifNull: ['$grants', []] }, { $literal: [grant] }] } } },
        ],
        { upsert: true },
      );
    },
    isPrepared: async (projectId, userId, grant) =>
      (await memberships.findOne({ _id: idOf(projectId, userId), grants: grant }, options)) !== null,
    async apply(projectId, userId, grant, role) {
      const before = { $indexOfArray: [ROLES, { $ifNull: ['$role', ''] }] };
      // No upsert, so that a membership removed meanwhile is not restored.
      const { modifiedCount } = await memberships.updateOne({ _id: idOf(projectId, userId), grants: grant }, [
        { $set: { role: { $cond: [{ $lt: [before, ROLES.indexOf(role)] }, role, '$role'] } } },
        { $set: { grants: { $filter: { input: '$grants', cond: { $ne: ['$$this', grant] } } } } },
      ]);
      return modifiedCount === 1;
    },
    async withdraw(projectId, userId, grant) {
      const _id = idOf(projectId, userId);
      await memberships.updateOne({ _id, grants: grant }, { $pull: { grants: grant } });
      await memberships.deleteOne({ _id, grants: [], role: { $exists: false } });
    },
  };
}
