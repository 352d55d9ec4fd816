import type { Session } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';

const MAX_TIME_MS = 2000;
const BATCHES = { size: 1000 };

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Sessions of signed-in people. Each call throws the driver's error when the database does not answer in time. */
export function createSessionStore({ sessions }: Pick<Collections, 'sessions'>) {
  const options = { maxTimeMS: MAX_TIME_MS };
  return {
    insert: async (session: Session): Promise<void> => void (await sessions.insertOne(session)),
    /** A session that has not expired, by the hash of its token. */
    findLive: async (hash: string, now: Date): Promise<Session | undefined> =>
      (await sessions.findOne({ _id: hash, expiresAt: { $gt: now } }, options)) ?? undefined,
    /** Records a use and extends the expiry. */
    touch: async (hash: string, seen: Pick<Session, 'lastSeenAt' | 'expiresAt' | 'cookieAt'>): Promise<void> =>
      void (await sessions.updateOne({ _id: hash }, { $set: seen })),
    /** A person's sessions that have not expired, last used first. */
    ofUser: (userId: string, now: Date): Promise<Session[]> =>
      sessions
        .find({ userId, expiresAt: { $gt: now } }, options)
        .sort({ lastSeenAt: -1 })
        .toArray(),
    /** Keeps a session valid after a change of the person's credentials. */
    keep: async (userId: string, id: string, credentialVersion: number): Promise<void> =>
      void (await sessions.updateOne({ userId, id }, { $set: { credentialVersion } })),
    /** @returns whether the session existed */
    end: async (userId: string, id: string) => (await sessions.deleteOne({ userId, id })).deletedCount === 1,
    /** Ends all of a person's sessions except one. */
    endOthers: (userId: string, exceptId: string | undefined) =>
      deleteInBatches(sessions, { userId, id: { $ne: exceptId ?? '' } }, BATCHES),
    removeExpired: (now: Date) => deleteInBatches(sessions, { expiresAt: { $lte: now } }, BATCHES),
  };
}
