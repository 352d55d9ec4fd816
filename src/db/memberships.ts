import type { Membership } from '../domain/people.js';
import type { Role } from '../domain/rights.js';
import type { Collections } from './collections.js';

const MAX_TIME_MS = 2000;

/** Who belongs to which project. Each call throws the driver's error when the database does not answer in time. */
export interface MembershipStore {
  roleOf(userId: string, projectId: string): Promise<Role | undefined>;
  ofUser(userId: string): Promise<Membership[]>;
  ofProject(projectId: string): Promise<Membership[]>;
  /** Makes somebody a member, or changes his role. Safe to repeat. */
  put(projectId: string, userId: string, role: Role): Promise<void>;
  remove(projectId: string, userId: string): Promise<void>;
}

const idOf = (projectId: string, userId: string) => `${projectId}:${userId}`;

export function createMembershipStore({ memberships }: Pick<Collections, 'memberships'>): MembershipStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  return {
    roleOf: async (userId, projectId) => (await memberships.findOne({ _id: idOf(projectId, userId) }, options))?.role,
    ofUser: (userId) => memberships.find({ userId }, options).toArray(),
    ofProject: (projectId) => memberships.find({ projectId }, options).sort({ createdAt: 1, _id: 1 }).toArray(),
    async put(projectId, userId, role) {
      await memberships.updateOne(
        { _id: idOf(projectId, userId) },
        { $set: { role }, $setOnInsert: { projectId, userId, createdAt: new Date() } },
        { upsert: true },
      );
    },
    remove: async (projectId, userId) => void (await memberships.deleteOne({ _id: idOf(projectId, userId) })),
  };
}
