import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { ensureWebhookToken, showWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('webhook tokens of a project', () => {
  const keys = [Buffer.alloc(32, 1)];
  let tokens: Collections['webhookTokens'];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    tokens = (await testDatabase()).collections.webhookTokens;
  });

  it('are created once by concurrent calls', async () => {
    const projectId = randomId();
    await Promise.all(Array.from({ length: 20 }, () => ensureWebhookToken(tokens, keys, projectId)));
    expect(await tokens.countDocuments({ projectId })).to.equal(1);
  });

  it('are created again when the last was revoked or has expired, and the newest is shown', async () => {
    const projectId = randomId();
    await ensureWebhookToken(tokens, keys, projectId);
    const first = await showWebhookToken(tokens, keys, projectId);
    await tokens.updateOne({ projectId, number: 1 }, { $set: { revokedAt: new Date() } });
    await ensureWebhookToken(tokens, keys, projectId);
    await tokens.updateOne({ projectId, number: 2 }, { $set: { expiresAt: new Date() } });
    expect(await showWebhookToken(tokens, keys, projectId)).to.equal(undefined);
    await ensureWebhookToken(tokens, keys, projectId);
    const numbers = (await tokens.find({ projectId }).toArray()).map(({ number }) => number);
    expect(numbers.sort()).to.deep.equal([1, 2, 3]);
    expect(await showWebhookToken(tokens, keys, projectId))
      .to.be.a('string')
      .and.not.equal(first);
  });
});
