import type { Collection } from 'mongodb';
import { open, seal } from '#src/domain/variables/secret-box.js';
import type { WebhookToken } from '#src/domain/records.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { ignoreDuplicateKey } from '#src/db/query/duplicate-key.js';
import { literals } from '#src/db/query/literals.js';

/** A round fails only if another call creates a token meanwhile, which the next round finds. */
const MAX_ROUNDS = 10;

/** Neither revoked nor expired. */
const live = () => ({
  revokedAt: { $exists: false },
  $or: [{ expiresAt: { $exists: false } }, { $expr: { $gt: ['$expiresAt', '$$NOW'] } }],
});

/**
 * The newest live webhook token of a project, decrypted.
 * @param secretKeys AES-256 keys, newest first
 * @throws SecretBoxError when the token was encrypted with another key
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
 * Creates a token unless the project has a live one. Concurrent calls create one.
 * @param secretKeys AES-256 keys, newest first; the first one encrypts the stored copy
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

/** The number of a project's next token. Read it before the existing tokens, so that a concurrent creation is detected. */
export async function nextNumber(webhookTokens: Collection<WebhookToken>, projectId: string): Promise<number> {
  const last = await webhookTokens.findOne({ projectId }, { sort: { number: -1 }, projection: { number: 1 } });
  return 1 + (last?.number ?? 0);
}

/**
 * Creates a token.
 * @returns undefined when the number is taken by a concurrent creation
 */
export async function addWebhookToken(
  webhookTokens: Collection<WebhookToken>,
  secretKeys: readonly Buffer[],
  facts: Pick<WebhookToken, 'projectId' | 'number' | 'madeBy' | 'allowedNetworks'>,
): Promise<WebhookToken | undefined> {
  const token = newToken('webhook');
  const fields = literals({ ...facts, encrypted: seal(secretKeys, token) });
  // An upsert, because an insert cannot set `createdAt` by the database's clock.
  const record = webhookTokens.findOneAndUpdate(
    { _id: hashOfToken(token) },
    [{ $set: { ...fields, createdAt: { $ifNull: ['$createdAt', '$$NOW'] } } }],
    { upsert: true, returnDocument: 'after' },
  );
  return (await record.catch(ignoreDuplicateKey)) ?? undefined;
}

/** Revokes all tokens of a project, effective immediately. Safe to repeat. */
export async function revokeWebhookTokens(webhookTokens: Collection<WebhookToken>, projectId: string): Promise<void> {
  await webhookTokens.updateMany({ projectId, revokedAt: { $exists: false } }, { $currentDate: { revokedAt: true } });
}
