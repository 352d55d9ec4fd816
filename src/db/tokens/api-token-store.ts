import type { ApiToken } from '#src/domain/people/people.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createdBy, type Creator } from '#src/db/people/created-by.js';
import { ignoreDuplicateKey } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

export type TokenOwner = { userId: string } | { projectId: string };

export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;

/** API tokens. Each call throws the driver's error when the database does not answer in time. */
export function createApiTokenStore({ apiTokens }: Pick<Collections, 'apiTokens'>) {
  const options = { maxTimeMS: MAX_TIME_MS };
  const live = { revokedAt: { $exists: false } };
  return {
    /** @returns false when the id already exists */
    insert: async (token: ApiToken) => (await apiTokens.insertOne(token).catch(ignoreDuplicateKey)) !== undefined,
    /** A token that is neither revoked nor expired, by its hash. */
    async findLive(hash: string, now: Date): Promise<ApiToken | undefined> {
      const token = await apiTokens.findOne({ _id: hash, ...live }, options);
      return token && (token.expiresAt === undefined || token.expiresAt > now) ? token : undefined;
    },
    /** Records the last use. */
    touch: async (hash: string, at: Date): Promise<void> =>
      void (await apiTokens.updateOne({ _id: hash }, { $set: { lastUsedAt: at } })),
    /** Newest first, without revoked tokens. */
    of: (owner: TokenOwner): Promise<ApiToken[]> =>
      apiTokens
        .find({ ...owner, ...live }, options)
        .sort({ createdAt: -1 })
        .toArray(),
    /** Includes revoked tokens. */
    find: async (owner: TokenOwner, id: string): Promise<ApiToken | undefined> =>
      (await apiTokens.findOne({ ...owner, id }, options)) ?? undefined,
    /** Counts a project's tokens that a person created and that are not revoked. */
    countCreatedBy: (projectId: string, creator: Creator) =>
      apiTokens.countDocuments({ projectId, ...createdBy(creator), ...live }, options),
    /** @returns how many were revoked */
    revokeCreatedBy: async (projectId: string, creator: Creator) =>
      (await apiTokens.updateMany({ projectId, ...createdBy(creator), ...live }, { $currentDate: { revokedAt: true } }))
        .modifiedCount,
    revokeAll: async (owner: TokenOwner): Promise<void> =>
      void (await apiTokens.updateMany({ ...owner, ...live }, { $currentDate: { revokedAt: true } })),
    /** Effective immediately. @returns false when the token is missing or already revoked */
    async revoke(owner: TokenOwner, id: string) {
      const { modifiedCount } = await apiTokens.updateOne(
        { ...owner, id, ...live },
        { $currentDate: { revokedAt: true } },
      );
      return modifiedCount === 1;
    },
  };
}
