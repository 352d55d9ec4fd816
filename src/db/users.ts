import type { User } from '../domain/people.js';
import type { Collections } from './collections.js';
import { isDuplicateKey } from './duplicate-key.js';

const MAX_TIME_MS = 2000;

/** People. Each call throws the driver's error when the database does not answer in time. */
export interface UserStore {
  find(id: string): Promise<User | undefined>;
  /** @param email in any case */
  findByEmail(email: string): Promise<User | undefined>;
  /** @returns false when somebody has this e-mail already */
  insert(user: User): Promise<boolean>;
}

/** An e-mail as it is stored and compared. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function createUserStore({ users }: Pick<Collections, 'users'>): UserStore {
  return {
    find: async (id) => (await users.findOne({ _id: id }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,
    findByEmail: async (email) =>
      (await users.findOne({ email: normalEmail(email) }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,
    async insert(user) {
      try {
        await users.insertOne({ ...user, email: normalEmail(user.email) });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}
