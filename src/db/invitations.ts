import type { Invitation } from '../domain/people.js';
import type { Collections } from './collections.js';
import { insertOnce } from './insert-once.js';

const MAX_TIME_MS = 2000;

/** Invitations to projects. Each call throws the driver's error when the database does not answer in time. */
export interface InvitationStore {
  /** A repeat of the same creation gets what it made. @throws IdempotencyConflictError */
  create(invitation: Invitation): Promise<{ document: Invitation; isNew: boolean }>;
  /** By the hash of its token, whatever became of it. */
  findByHash(hash: string): Promise<Invitation | undefined>;
  /** Those of a project that can still be taken, newest first. */
  open(projectId: string, now: Date): Promise<Invitation[]>;
  /** Gives it to one person; again to the same one. @returns whether he has it */
  take(id: string, userId: string, now: Date): Promise<boolean>;
  /** He did not become a member after all. */
  release(id: string, userId: string): Promise<void>;
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
    create: (invitation) => insertOnce(invitations, invitation),
    findByHash: async (hash) => (await invitations.findOne({ hash }, options)) ?? undefined,
    open: (projectId, now) =>
      invitations
        .find({ projectId, ...live(now) }, options)
        .sort({ createdAt: -1 })
        .toArray(),
    async take(_id, userId, now) {
      await invitations.updateOne({ _id, ...live(now) }, { $set: { acceptedAt: now, acceptedBy: userId } });
      return (await invitations.findOne({ _id }, options))?.acceptedBy === userId;
    },
    release: async (_id, userId) =>
      void (await invitations.updateOne({ _id, acceptedBy: userId }, { $unset: { acceptedAt: '', acceptedBy: '' } })),
    revoke: async (projectId, id, now) =>
      (await invitations.findOneAndUpdate({ _id: id, projectId, ...live(now) }, { $set: { revokedAt: now } })) ??
      undefined,
  };
}
