import type { WebhookToken } from '#src/domain/records.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 2000;
/** Those that were revoked long ago are of no interest. */
const SHOWN = 100;

/** A change of a token's conditions, at least one; null takes one away. */
export interface TokenChange {
  expiresAt?: Date | null;
  allowedNetworks?: string[] | null;
}

/** The webhook tokens of a project. Each call throws the driver's error when the database does not answer in time. */
export interface WebhookTokenStore {
  /** Newest first, the last hundred, revoked ones included. */
  ofProject(projectId: string): Promise<WebhookToken[]>;
  /** The token that this call has made. */
  madeBy(projectId: string, key: string): Promise<WebhookToken | undefined>;
  /** Tokens before this one that are not revoked open nothing from `at` on, at the latest. */
  expireBefore(projectId: string, number: number, at: Date): Promise<void>;
  /** From its return on they open nothing. */
  revokeBefore(projectId: string, number: number): Promise<void>;
  /** @returns the changed token; undefined when it is not there or revoked */
  change(projectId: string, number: number, change: TokenChange): Promise<WebhookToken | undefined>;
  /** From its return on the token opens nothing. @returns the token; undefined when it is not there */
  revoke(projectId: string, number: number): Promise<{ token: WebhookToken; isNew: boolean } | undefined>;
}

export function createWebhookTokenStore({ webhookTokens }: Pick<Collections, 'webhookTokens'>): WebhookTokenStore {
  const notRevoked = { revokedAt: { $exists: false } };
  const before = (projectId: string, number: number) => ({ projectId, number: { $lt: number }, ...notRevoked });

  return {
    ofProject: (projectId) =>
      webhookTokens.find({ projectId }, { maxTimeMS: MAX_TIME_MS }).sort({ number: -1 }).limit(SHOWN).toArray(),

    madeBy: async (projectId, key) =>
      (await webhookTokens.findOne({ projectId, 'madeBy.key': key }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,

    async expireBefore(projectId, number, at) {
      await webhookTokens.updateMany(before(projectId, number), [
        { $set: { expiresAt: { $min: [at, { $ifNull: ['$expiresAt', at] }] } } },
      ]);
    },

    async revokeBefore(projectId, number) {
      await webhookTokens.updateMany(before(projectId, number), { $currentDate: { revokedAt: true } });
    },

    async change(projectId, number, change) {
      const changes = Object.entries(change);
      const changed = await webhookTokens.findOneAndUpdate(
        { projectId, number, ...notRevoked },
        [
          // Literals: nothing of a caller is read as an expression.
          ...changes.flatMap(([name, value]) => (value === null ? [] : [{ $set: { [name]: { $literal: value } } }])),
          ...changes.flatMap(([name, value]) => (value === null ? [{ $unset: name }] : [])),
        ],
        { returnDocument: 'after' },
      );
      return changed ?? undefined;
    },

    async revoke(projectId, number) {
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
