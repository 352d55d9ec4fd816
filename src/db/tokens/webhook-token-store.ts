import type { WebhookToken } from '#src/domain/records.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 2000;
const LIST_MAX = 100;

/** Changes of a token's restrictions, at least one; null removes a restriction. */
export interface TokenChange {
  expiresAt?: Date | null;
  allowedNetworks?: string[] | null;
}

export type WebhookTokenStore = ReturnType<typeof createWebhookTokenStore>;

/** The webhook tokens of a project. Each call throws the driver's error when the database does not answer in time. */
export function createWebhookTokenStore({ webhookTokens }: Pick<Collections, 'webhookTokens'>) {
  const notRevoked = { revokedAt: { $exists: false } };
  const before = (projectId: string, number: number) => ({ projectId, number: { $lt: number }, ...notRevoked });

  return {
    /** The newest 100, revoked ones included. */
    ofProject: (projectId: string): Promise<WebhookToken[]> =>
      webhookTokens.find({ projectId }, { maxTimeMS: MAX_TIME_MS }).sort({ number: -1 }).limit(LIST_MAX).toArray(),

    /** The token created by a request. @param key idempotency key of the request */
    createdByRequest: async (projectId: string, key: string): Promise<WebhookToken | undefined> =>
      (await webhookTokens.findOne({ projectId, 'madeBy.key': key }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,

    /** Lets the tokens with lower numbers expire at `at`, unless they expire earlier. */
    async expireBefore(projectId: string, number: number, at: Date) {
      await webhookTokens.updateMany(before(projectId, number), [
        { $set: { expiresAt: { $min: [at, { $ifNull: ['$expiresAt', at] }] } } },
      ]);
    },

    /** Revokes the tokens with lower numbers, effective immediately. */
    async revokeBefore(projectId: string, number: number) {
      await webhookTokens.updateMany(before(projectId, number), { $currentDate: { revokedAt: true } });
    },

    /** @returns the changed token; undefined when it is missing or revoked */
    async change(projectId: string, number: number, change: TokenChange): Promise<WebhookToken | undefined> {
      const changes = Object.entries(change);
      const changed = await webhookTokens.findOneAndUpdate(
        { projectId, number, ...notRevoked },
        [
          // Literals, so that input is never evaluated as an expression.
          ...changes.flatMap(([name, value]) => (value === null ? [] : [{ $set: { [name]: { $literal: value } } }])),
          ...changes.flatMap(([name, value]) => (value === null ? [{ $unset: name }] : [])),
        ],
        { returnDocument: 'after' },
      );
      return changed ?? undefined;
    },

    /** Effective immediately. @returns the token; undefined when it is missing */
    async revoke(projectId: string, number: number): Promise<{ token: WebhookToken; isNew: boolean } | undefined> {
      const revoked = await webhookTokens.findOneAndUpdate(
        { projectId, number, ...notRevoked },
        { $currentDate: { revokedAt: true } },
        { returnDocument: 'after' },
      );
      if (revoked) return { token: revoked, isNew: true };
      const earlier = await webhookTokens.findOne({ projectId, number }, { maxTimeMS: MAX_TIME_MS });
      return earlier ? { token: earlier, isNew: false } : undefined;
    },
  };
}
