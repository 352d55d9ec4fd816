import type { Membership } from '#src/domain/people/people.js';
import { ROLES, type Role } from '#src/domain/people/rights.js';
import { literals } from '#src/db/query/literals.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 2000;

export type MembershipStore = ReturnType<typeof createMembershipStore>;

const idOf = (projectId: string, userId: string) => `${projectId}:${userId}`;

const isMember = { role: { $exists: true } };

/** Members of projects. Each call throws the driver's error when the database does not answer in time. */
export function createMembershipStore({ memberships }: Pick<Collections, 'memberships'>) {
  const options = { maxTimeMS: MAX_TIME_MS };
  const begun = (projectId: string, userId: string) => ({
    $set: { ...literals({ projectId, userId }), createdAt: { $ifNull: ['$createdAt', '$$NOW'] } },
  });
  return {
    roleOf: async (userId: string, projectId: string) =>
      (await memberships.findOne({ _id: idOf(projectId, userId) }, options))?.role,
    ofUser: (userId: string): Promise<Membership[]> => memberships.find({ userId, ...isMember }, options).toArray(),
    ofProject: (projectId: string): Promise<Membership[]> =>
      memberships
        .find({ projectId, ...isMember }, options)
        .sort({ createdAt: 1, _id: 1 })
        .toArray(),
    /** Adds a member or changes the role, and withdraws prepared grants. Safe to repeat. */
    async put(projectId: string, userId: string, role: Role) {
      await memberships.updateOne(
        { _id: idOf(projectId, userId) },
        [begun(projectId, userId), { $set: literals({ role }) }, { $unset: 'grants' }],
        { upsert: true },
      );
    },
    /** Also withdraws prepared grants. */
    remove: async (projectId: string, userId: string): Promise<void> =>
      void (await memberships.deleteOne({ _id: idOf(projectId, userId) })),
    /** Prepares a grant, to be applied later. @param grant unique id */
    async prepare(projectId: string, userId: string, grant: string) {
      await memberships.updateOne(
        { _id: idOf(projectId, userId) },
        [
          begun(projectId, userId),
          { $set: { grants: { $concatArrays: [{ $ifNull: ['$grants', []] }, { $literal: [grant] }] } } },
        ],
        { upsert: true },
      );
    },
    /** Whether a grant is prepared, and neither applied nor withdrawn. */
    isPrepared: async (projectId: string, userId: string, grant: string) =>
      (await memberships.findOne({ _id: idOf(projectId, userId), grants: grant }, options)) !== null,
    /** Applies a prepared grant once: sets the role unless it is already higher. @returns whether it was applied */
    async apply(projectId: string, userId: string, grant: string, role: Role) {
      const before = { $indexOfArray: [ROLES, { $ifNull: ['$role', ''] }] };
      // No upsert, so that a membership removed meanwhile is not restored.
      const { modifiedCount } = await memberships.updateOne({ _id: idOf(projectId, userId), grants: grant }, [
        { $set: { role: { $cond: [{ $lt: [before, ROLES.indexOf(role)] }, role, '$role'] } } },
        { $set: { grants: { $filter: { input: '$grants', cond: { $ne: ['$$this', grant] } } } } },
      ]);
      return modifiedCount === 1;
    },
    async withdraw(projectId: string, userId: string, grant: string) {
      const _id = idOf(projectId, userId);
      await memberships.updateOne({ _id, grants: grant }, { $pull: { grants: grant } });
      await memberships.deleteOne({ _id, grants: [], role: { $exists: false } });
    },
  };
}
