import type { Invitation } from '../domain/people.js';
import type { Collections } from './collections.js';
import { isDuplicateKey } from './duplicate-key.js';

const MAX_TIME_MS = 2000;

/** Invitations to projects. Each call throws the driver's error when the database does not answer in time. */
export interface InvitationStore {
  /** @returns false when one with this id is there already */
  insert(invitation: Invitation): Promise<boolean>;
  find(projectId: string, id: string): Promise<Invitation | undefined>;
  /** By the hash of its token, whatever became of it. */
  findByHash(hash: string): Promise<Invitation | undefined>;
  /** Those of a project that can still be taken, newest first. */
  open(projectId: string, now: Date): Promise<Invitation[]>;
  /** Gives it to one person; again to the same one. @returns whether he has it */
  take(hash: string, userId: string, now: Date): Promise<boolean>;
  /** He did not become a member after all. */
  release(hash: string, userId: string): Promise<void>;
  /** From its return on it opens nothing. @returns whether it was there and open */
  revoke(projectId: string, id: string, now: Date): Promise<Invitation | undefined>;
}

export function createInvitationStore({ invitations }: Pick<Collections, 'invitations'>): InvitationStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  const live = (now: Date) => ({
    acceptedAt: { $exists: false },
    revokedAt: { $exists: false },
    expiresAt: { $gt: now },
  });
  return {
    async insert(invitation) {
      try {
        await invitations.insertOne(invitation);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    find: async (projectId, id) => (await invitations.findOne({ projectId, id }, options)) ?? undefined,
    findByHash: async (hash) => (await invitations.findOne({ _id: hash }, options)) ?? undefined,
    open: (projectId, now) =>
      invitations
        .find({ projectId, ...live(now) }, options)
        .sort({ createdAt: -1 })
        .toArray(),
    async take(hash, userId, now) {
      await invitations.updateOne({ _id: hash, ...live(now) }, { $set: { acceptedAt: now, acceptedBy: userId } });
      return (await invitations.findOne({ _id: hash }, options))?.acceptedBy === userId;
    },
    release: async (hash, userId) =>
      void (await invitations.updateOne(
        { _id: hash, acceptedBy: userId },
        { $unset: { acceptedAt: '', acceptedBy: '' } },
      )),
    revoke: async (projectId, id, now) =>
      (await invitations.findOneAndUpdate({ projectId, id, ...live(now) }, { $set: { revokedAt: now } })) ?? undefined,
  };
}
