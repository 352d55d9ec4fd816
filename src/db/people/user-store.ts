import type { Document } from 'mongodb';
import type { PageRequest } from '#src/domain/page.js';
import type { User } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { ignoreDuplicateKey } from '#src/db/query/duplicate-key.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { readPage } from '#src/db/query/page.js';

const MAX_TIME_MS = 2000;
const KNOWN_ADDRESSES = 10;
const ENABLED = { disabledAt: { $exists: false } };

export type UserStore = ReturnType<typeof createUserStore>;

/** null removes. */
export type UserChange = Partial<Pick<User, 'name' | 'isAdmin' | 'identity'>> & {
  passwordHash?: string | null;
  disabledAt?: Date | null;
};

function endsSessions({ passwordHash, identity, disabledAt }: UserChange): boolean {
  return passwordHash !== undefined || identity !== undefined || disabledAt instanceof Date;
}

/** The form in which emails are stored and compared. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** People. Each call throws the driver's error when the database does not answer in time. */
export function createUserStore({ users }: Pick<Collections, 'users'>) {
  const options = { maxTimeMS: MAX_TIME_MS };
  const one = async (filter: Document) => (await users.findOne(filter, options)) ?? undefined;
  return {
    find: (id: string): Promise<User | undefined> => one({ _id: id }),
    /** @param email ignoring case */
    findByEmail: (email: string): Promise<User | undefined> => one({ email: normalEmail(email) }),
    findByIdentity: ({ issuer, subject }: NonNullable<User['identity']>): Promise<User | undefined> =>
      one({ 'identity.issuer': issuer, 'identity.subject': subject }),
    named: (ids: string[]): Promise<User[]> => users.find({ _id: { $in: ids } }, options).toArray(),
    /** By email. */
    page: (request: PageRequest) =>
      readPage(
        users,
        { filter: {}, sort: [{ field: 'email', order: 1, type: 'text' }], maxTimeMS: MAX_TIME_MS },
        request,
      ),
    isEmpty: async () => (await users.findOne({}, options)) === null,
    /** @returns false when the email, identity or id already exists */
    async insert(user: User) {
      const inserted = users.insertOne({ ...user, email: normalEmail(user.email) });
      return (await inserted.catch(ignoreDuplicateKey)) !== undefined;
    },
    /** Like insert, but idempotent: a repeated request returns the existing user. @throws IdempotencyConflictError */
    create: (user: User) => insertOnce(users, { ...user, email: normalEmail(user.email) }).catch(ignoreDuplicateKey),
    /**
     * Changes of the password or the identity, and disabling the account, increment the credential version, which ends
     * all sessions.
     * @returns the changed user; undefined when missing
     */
    async change(id: string, change: UserChange): Promise<User | undefined> {
      const entries = Object.entries(change);
      const removed = entries.filter(([, value]) => value === null).map(([name]) => [name, '']);
      const update = {
        $set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
        $unset: removed.length > 0 ? (Object.fromEntries(removed) as { passwordHash: '' }) : undefined,
        $inc: endsSessions(change) ? { credentialVersion: 1 } : undefined,
      };
      return (await users.findOneAndUpdate({ _id: id }, update, { returnDocument: 'after' })) ?? undefined;
    },
    /** Records a sign-in from a network address. */
    async noteSignIn(id: string, address: string, at: Date) {
      await users.updateOne({ _id: id }, { $set: { lastSignInAt: at } });
      await users.updateOne(
        { _id: id, knownAddresses: { $ne: address } },
        { $push: { knownAddresses: { $each: [address], $slice: -KNOWN_ADDRESSES } } },
      );
    },
    /** How many of these users are not disabled. */
    countEnabled: (ids: string[]) => users.countDocuments({ _id: { $in: ids }, ...ENABLED }, options),
    countEnabledAdmins: () => users.countDocuments({ isAdmin: true, ...ENABLED }, options),
    remove: async (id: string): Promise<void> => void (await users.deleteOne({ _id: id })),
  };
}
