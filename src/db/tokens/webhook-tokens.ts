import type { Collection } from 'mongodb';
import { open, seal } from '#src/domain/variables/secret-box.js';
import type { WebhookToken } from '#src/domain/records.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';
import { literals } from '#src/db/query/literals.js';

/** Each round is lost only to somebody who made a token in it; that token is then there for the next. */
const MAX_ROUNDS = 10;

/** Neither revoked nor expired. */
const live = () => ({
  revokedAt: { $exists: false },
  $or: [{ expiresAt: { $exists: false } }, { $expr: { $gt: ['$expiresAt', '$$NOW'] } }],
});

/**
 * The webhook token of a project to show: of several live ones the newest.
 * @param secretKeys AES-256 keys, newest first
 * @throws SecretBoxError when its key is not among them
 */
export async function showWebhookToken(
  webhookTokens: Collection<WebhookToken>,
  secretKeys: readonly Buffer[],
  projectId: string,
): Promise<string | undefined> {
  const newest = await webhookTokens.findOne(
    { projectId, ...live() },
    { sort: { number: -1 }, projection: { encrypted: 1 } },
  );
  return newest ? open(secretKeys, newest.encrypted) : undefined;
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
    const number = await nextNumber(webhookTokens, projectId);
    if (await webhookTokens.findOne({ projectId, ...live() }, { projection: { _id: 1 } })) return;
    if (await addWebhookToken(webhookTokens, secretKeys, { projectId, number })) return;
  }
  throw new Error('The webhook tokens of this project keep changing. Try again.');
}

/** The number of a project's next token. Taken before a look at the others: what is made after it takes it away. */
export async function nextNumber(webhookTokens: Collection<WebhookToken>, projectId: string): Promise<number> {
  const last = await webhookTokens.findOne({ projectId }, { sort: { number: -1 }, projection: { number: 1 } });
  return 1 + (last?.number ?? 0);
}

/**
 * Makes one more token for a project.
 * @returns its record; undefined when its number is taken
 */
export async function addWebhookToken(
  webhookTokens: Collection<WebhookToken>,
  secretKeys: readonly Buffer[],
  facts: Pick<WebhookToken, 'projectId' | 'number' | 'madeBy' | 'allowedNetworks'>,
): Promise<WebhookToken | undefined> {
  const token = newToken('webhook');
  const fields = literals({ ...facts, encrypted: seal(secretKeys, token) });
  try {
    // An insert cannot be dated by the database's clock, and other tokens expire by this date.
    const record = await webhookTokens.findOneAndUpdate(
      { _id: hashOfToken(token) },
      [{ $set: { ...fields, createdAt: { $ifNull: ['$createdAt', '$$NOW'] } } }],
      { upsert: true, returnDocument: 'after' },
    );
    return record!;
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** Revokes all tokens of a project: its webhooks lead nowhere from here on. Safe to repeat. */
export async function revokeWebhookTokens(webhookTokens: Collection<WebhookToken>, projectId: string): Promise<void> {
  await webhookTokens.updateMany({ projectId, revokedAt: { $exists: false } }, { $currentDate: { revokedAt: true } });
}
