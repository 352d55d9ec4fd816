import type { ApiToken } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createdBy, type Creator } from '#src/db/people/created-by.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

export type TokenOwner = { userId: string } | { projectId: string };

/** API tokens. Each call throws the driver's error when the database does not answer in time. */
export interface ApiTokenStore {
  /** @returns false when the id already exists */
  insert(token: ApiToken): Promise<boolean>;
  /** A token that is neither revoked nor expired, by its hash. */
  findLive(hash: string, now: Date): Promise<ApiToken | undefined>;
  /** Records the last use. */
  touch(hash: string, at: Date): Promise<void>;
  /** Newest first, without revoked tokens. */
  of(owner: TokenOwner): Promise<ApiToken[]>;
  /** Includes revoked tokens. */
  find(owner: TokenOwner, id: string): Promise<ApiToken | undefined>;
  /** Effective immediately. @returns false when the token is missing or already revoked */
  revoke(owner: TokenOwner, id: string): Promise<boolean>;
  revokeAll(owner: TokenOwner): Promise<void>;
  /** Counts a project's tokens that a person created and that are not revoked. */
  countCreatedBy(projectId: string, creator: Creator): Promise<number>;
  /** @returns how many were revoked */
  revokeCreatedBy(projectId: string, creator: Creator): Promise<number>;
}

export function createApiTokenStore({ apiTokens }: Pick<Collections, 'apiTokens'>): ApiTokenStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  const live = { revokedAt: { $exists: false } };
  return {
    async insert(token) {
      try {
        await apiTokens.insertOne(token);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async findLive(hash, now) {
      const token = await apiTokens.findOne({ _id: hash, ...live }, options);
      return token && (token.expiresAt === undefined || token.expiresAt > now) ? token : undefined;
    },
    touch: async (hash, at) => void (await apiTokens.updateOne({ _id: hash }, { $set: { lastUsedAt: at } })),
    of: (owner) =>
      apiTokens
        .find({ ...owner, ...live }, options)
        .sort({ createdAt: -1 })
        .toArray(),
    find: async (owner, id) => (await apiTokens.findOne({ ...owner, id }, options)) ?? undefined,
    countCreatedBy: (projectId, creator) =>
      apiTokens.countDocuments({ projectId, ...createdBy(creator), ...live }, options),
    revokeCreatedBy: async (projectId, creator) =>
      (await apiTokens.updateMany({ projectId, ...createdBy(creator), ...live }, { $currentDate: { revokedAt: true } }))
        .modifiedCount,
    revokeAll: async (owner) =>
      void (await apiTokens.updateMany({ ...owner, ...live }, { $currentDate: { revokedAt: true } })),
    async revoke(owner, id) {
      const { modifiedCount } = await apiTokens.updateOne(
        { ...owner, id, ...live },
        { $currentDate: { revokedAt: true } },
      );
      return modifiedCount === 1;
    },
  };
}
