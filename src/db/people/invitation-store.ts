import type { Filter } from 'mongodb';
import type { Invitation } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { createdBy, type Creator } from './created-by.js';

const MAX_TIME_MS = 2000;

export type InvitationStore = ReturnType<typeof createInvitationStore>;

/** Invitations to projects. Each call throws the driver's error when the database does not answer in time. */
export function createInvitationStore({ invitations }: Pick<Collections, 'invitations'>) {
  const options = { maxTimeMS: MAX_TIME_MS };
  const live = (): Filter<Invitation> => ({
    acceptedAt: { $exists: false },
    revokedAt: { $exists: false },
    $expr: { $gt: ['$expiresAt', '$$NOW'] },
  });
  return {
    /** A repeated request returns the existing invitation. @throws IdempotencyConflictError */
    create: (invitation: Invitation) => insertOnce(invitations, invitation),
    /** By the hash of its token, in any state. */
    findByHash: async (hash: string): Promise<Invitation | undefined> =>
      (await invitations.findOne({ hash }, options)) ?? undefined,
    /** The open invitations of a project, newest first. */
    open: (projectId: string): Promise<Invitation[]> =>
      invitations
        .find({ projectId, ...live() }, options)
        .sort({ createdAt: -1 })
        .toArray(),
    /** Accepts an open invitation. @returns true for exactly one of several concurrent calls */
    async claim(_id: string, { userId, grant }: { userId: string; grant: string }) {
      const accepted = { $set: { acceptedBy: userId, grant }, $currentDate: { acceptedAt: true } } as const;
      return (await invitations.updateOne({ _id, ...live() }, accepted)).modifiedCount === 1;
    },
    /** Reopens an invitation whose acceptance failed. */
    release: async (_id: string, grant: string): Promise<void> =>
      void (await invitations.updateOne({ _id, grant }, { $unset: { acceptedAt: '', acceptedBy: '', grant: '' } })),
    /** Reserves an open invitation for new accounts with this email. @returns the email that it is reserved for */
    async reserveFor(_id: string, email: string) {
      await invitations.updateOne(
        { _id, newAccountEmail: { $exists: false }, ...live() },
        { $set: { newAccountEmail: email } },
      );
      return (await invitations.findOne({ _id }, options))?.newAccountEmail;
    },
    /** Effective immediately. @returns undefined when it is missing or not open */
    revoke: async (projectId: string, id: string): Promise<Invitation | undefined> =>
      (await invitations.findOneAndUpdate({ _id: id, projectId, ...live() }, { $currentDate: { revokedAt: true } })) ??
      undefined,
    /** Revokes all open invitations of a project, of a creator, or both. @returns how many */
    async revokeAll({ projectId, creator }: { projectId?: string; creator?: Creator }) {
      const { modifiedCount } = await invitations.updateMany(
        { projectId, ...(creator && createdBy(creator)), ...live() },
        { $currentDate: { revokedAt: true } },
      );
      return modifiedCount;
    },
  };
}
