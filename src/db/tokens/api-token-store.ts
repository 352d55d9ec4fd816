import type { ApiToken } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { madeBy, type Maker } from '#src/db/people/made-by.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

/** Whose tokens: exactly one of the two. */
export type TokenOwner = { userId: string } | { projectId: string };

/** API tokens. Each call throws the driver's error when the database does not answer in time. */
export interface ApiTokenStore {
  /** @returns false when there is one with this id already */
  insert(token: ApiToken): Promise<boolean>;
  /** A token that is neither revoked nor expired, by its hash. */
  findLive(hash: string, now: Date): Promise<ApiToken | undefined>;
  /** It was used. */
  touch(hash: string, at: Date): Promise<void>;
  /** Newest first, without those that were revoked. */
  of(owner: TokenOwner): Promise<ApiToken[]>;
  /** Revoked ones too. */
  find(owner: TokenOwner, id: string): Promise<ApiToken | undefined>;
  /** From its return on the token opens nothing. @returns whether it was there and live */
  revoke(owner: TokenOwner, id: string): Promise<boolean>;
  revokeAll(owner: TokenOwner): Promise<void>;
  /** How many live ones of a project a person made. */
  countMadeBy(projectId: string, maker: Maker): Promise<number>;
  /** Revokes these. @returns how many */
  revokeMadeBy(projectId: string, maker: Maker): Promise<number>;
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
    countMadeBy: (projectId, maker) => apiTokens.countDocuments({ projectId, ...madeBy(maker), ...live }, options),
    revokeMadeBy: async (projectId, maker) =>
      (await apiTokens.updateMany({ projectId, ...madeBy(maker), ...live }, { $currentDate: { revokedAt: true } }))
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
