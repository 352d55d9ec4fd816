import type { Filter } from 'mongodb';
import type { Invitation } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { madeBy, type Maker } from './made-by.js';

const MAX_TIME_MS = 2000;

/** Invitations to projects. Each call throws the driver's error when the database does not answer in time. */
export interface InvitationStore {
  /** A repeat of the same creation gets what it made. @throws IdempotencyConflictError */
  create(invitation: Invitation): Promise<{ document: Invitation; isNew: boolean }>;
  /** By the hash of its token, in whatever state. */
  findByHash(hash: string): Promise<Invitation | undefined>;
  /** Those of a project that can be accepted, newest first. */
  open(projectId: string): Promise<Invitation[]>;
  /** Accepts an open one for a person. @returns whether this call did it: of all calls one does */
  claim(id: string, accepted: { userId: string; grant: string }): Promise<boolean>;
  /** Opens it again after an acceptance that cannot be finished. */
  release(id: string, grant: string): Promise<void>;
  /** The email address that accounts are created for with an open one: this one, unless it has another. */
  reserveFor(id: string, email: string): Promise<string | undefined>;
  /** From its return on it opens nothing. @returns undefined when it is missing or not open */
  revoke(projectId: string, id: string): Promise<Invitation | undefined>;
  /** The same of all open ones of a project, of a person, or of a person in a project. @returns how many */
  revokeAll(which: { projectId?: string; maker?: Maker }): Promise<number>;
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
    async revokeAll({ projectId, maker }) {
      const which = { ...(projectId === undefined ? {} : { projectId }), ...(maker ? madeBy(maker) : {}) };
      const { modifiedCount } = await invitations.updateMany(
        { ...which, ...live() },
        { $currentDate: { revokedAt: true } },
      );
      return modifiedCount;
    },
  };
}
