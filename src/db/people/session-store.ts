import type { Session } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';

const MAX_TIME_MS = 2000;
const BATCHES = { size: 1000 };

/** Sessions of signed-in people. Each call throws the driver's error when the database does not answer in time. */
export interface SessionStore {
  insert(session: Session): Promise<void>;
  /** A session that has not expired, by the hash of its token. */
  findLive(hash: string, now: Date): Promise<Session | undefined>;
  /** Records a use and extends the expiry. */
  touch(hash: string, seen: Pick<Session, 'lastSeenAt' | 'expiresAt' | 'cookieAt'>): Promise<void>;
  /** A person's sessions that have not expired, last used first. */
  ofUser(userId: string, now: Date): Promise<Session[]>;
  /** @returns whether the session existed */
  end(userId: string, id: string): Promise<boolean>;
  /** Keeps a session valid after a change of the person's credentials. */
  keep(userId: string, id: string, credentialVersion: number): Promise<void>;
  /** Ends all of a person's sessions except one. */
  endOthers(userId: string, exceptId: string | undefined): Promise<void>;
  removeExpired(now: Date): Promise<void>;
}

export function createSessionStore({ sessions }: Pick<Collections, 'sessions'>): SessionStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  return {
    insert: async (session) => void (await sessions.insertOne(session)),
    findLive: async (hash, now) =>
      (await sessions.findOne({ _id: hash, expiresAt: { $gt: now } }, options)) ?? undefined,
    touch: async (hash, seen) => void (await sessions.updateOne({ _id: hash }, { $set: seen })),
    ofUser: (userId, now) =>
      sessions
        .find({ userId, expiresAt: { $gt: now } }, options)
        .sort({ lastSeenAt: -1 })
        .toArray(),
    keep: async (userId, id, credentialVersion) =>
      void (await sessions.updateOne({ userId, id }, { $set: { credentialVersion } })),
    end: async (userId, id) => (await sessions.deleteOne({ userId, id })).deletedCount === 1,
    endOthers: (userId, exceptId) => deleteInBatches(sessions, { userId, id: { $ne: exceptId ?? '' } }, BATCHES),
    removeExpired: (now) => deleteInBatches(sessions, { expiresAt: { $lte: now } }, BATCHES),
  };
}
