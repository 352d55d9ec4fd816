import type { Filter } from 'mongodb';
import type { Invitation } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { createdBy, type Creator } from './created-by.js';

const MAX_TIME_MS = 2000;

/** Invitations to projects. Each call throws the driver's error when the database does not answer in time. */
export interface InvitationStore {
  /** A repeated request returns the existing invitation. @throws IdempotencyConflictError */
  create(invitation: Invitation): Promise<{ document: Invitation; isNew: boolean }>;
  /** By the hash of its token, in any state. */
  findByHash(hash: string): Promise<Invitation | undefined>;
  /** The open invitations of a project, newest first. */
  open(projectId: string): Promise<Invitation[]>;
  /** Accepts an open invitation. @returns true for exactly one of several concurrent calls */
  claim(id: string, accepted: { userId: string; grant: string }): Promise<boolean>;
  /** Reopens an invitation whose acceptance failed. */
  release(id: string, grant: string): Promise<void>;
  /** Reserves an open invitation for new accounts with this email. @returns the email that it is reserved for */
  reserveFor(id: string, email: string): Promise<string | undefined>;
  /** Effective immediately. @returns undefined when it is missing or not open */
  revoke(projectId: string, id: string): Promise<Invitation | undefined>;
  /** Revokes all open invitations of a project, of a creator, or both. @returns how many */
  revokeAll(which: { projectId?: string; creator?: Creator }): Promise<number>;
}

export function createInvitationStore({ invitations }: Pick<Collections, 'invitations'>): InvitationStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  const live = (): Filter<Invitation> => ({
    acceptedAt: { $exists: false },
    revokedAt: { $exists: false },
    $expr: { $gt: ['$expiresAt', '$$NOW'] },
  });
  return {
    create: (invitation) => insertOnce(invitations, invitation),
    findByHash: async (hash) => (await invitations.findOne({ hash }, options)) ?? undefined,
    open: (projectId) =>
      invitations
        .find({ projectId, ...live() }, options)
        .sort({ createdAt: -1 })
        .toArray(),
    async claim(_id, { userId, grant }) {
      const accepted = { $set: { acceptedBy: userId, grant }, $currentDate: { acceptedAt: true } } as const;
      return (await invitations.updateOne({ _id, ...live() }, accepted)).modifiedCount === 1;
    },
    release: async (_id, grant) =>
      void (await invitations.updateOne({ _id, grant }, { $unset: { acceptedAt: '', acceptedBy: '', grant: '' } })),
    async reserveFor(_id, email) {
      await invitations.updateOne(
        { _id, newAccountEmail: { $exists: false }, ...live() },
        { $set: { newAccountEmail: email } },
      );
      return (await invitations.findOne({ _id }, options))?.newAccountEmail;
    },
    revoke: async (projectId, id) =>
      (await invitations.findOneAndUpdate({ _id: id, projectId, ...live() }, { $currentDate: { revokedAt: true } })) ??
      undefined,
    async revokeAll({ projectId, creator }) {
      const { modifiedCount } = await invitations.updateMany(
        { projectId, ...(creator && createdBy(creator)), ...live() },
        { $currentDate: { revokedAt: true } },
      );
      return modifiedCount;
    },
  };
}
