import type { Collection } from 'mongodb';
import { open, seal } from '../domain/secret-box.js';
import type { WebhookToken } from '../domain/records.js';
import { hashOfToken, newToken } from '../domain/token-format.js';
import { isDuplicateKey } from './duplicate-key.js';

/** Each round is lost only to somebody who made a token in it; that token is then there for the next. */
const MAX_ROUNDS = 10;

/**
 * The webhook token of a project to show: of several live ones the one made first.
 * @param secretKeys AES-256 keys, newest first
 * @throws SecretBoxError when its key is not among them
 */
export async function showWebhookToken(
  webhookTokens: Collection<WebhookToken>,
  secretKeys: readonly Buffer[],
  projectId: string,
): Promise<string | undefined> {
  const live = await webhookTokens.findOne(
    { projectId, revokedAt: { $exists: false } },
    { sort: { number: 1 }, projection: { encrypted: 1 } },
  );
  return live ? open(secretKeys, live.encrypted) : undefined;
}

/**
 * Makes a token for a project that has no live one. Of several calls at once one makes it.
 * @param secretKeys AES-256 keys, newest first: the first one seals the copy that can be shown
 */
export async function ensureWebhookToken(
  webhookTokens: Collection<WebhookToken>,
  secretKeys: readonly Buffer[],
  projectId: string,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tokens = await webhookTokens.find({ projectId }, { projection: { number: 1, revokedAt: 1 } }).toArray();
    if (tokens.some(({ revokedAt }) => revokedAt === undefined)) return;
    const token = newToken('webhook');
    try {
      await webhookTokens.insertOne({
        _id: hashOfToken(token),
        projectId,
        number: 1 + Math.max(0, ...tokens.map(({ number }) => number)),
        encrypted: seal(secretKeys, token),
        createdAt: new Date(),
      });
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new Error('The project’s webhook tokens change all the time; import the file again.');
}

/** Revokes all tokens of a project: its webhooks lead nowhere from here on. Safe to repeat. */
export async function revokeWebhookTokens(webhookTokens: Collection<WebhookToken>, projectId: string): Promise<void> {
  await webhookTokens.updateMany({ projectId, revokedAt: { $exists: false } }, { $set: { revokedAt: new Date() } });
}
