import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createCredentialLookup } from '#src/db/tokens/credential-lookup.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('credential lookup', () => {
  let collections: Collections;
  let isKnown: (credential: string) => Promise<boolean>;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    const lookup = createCredentialLookup(collections);
    isKnown = (credential) => lookup(credential, Infinity);
  });

  const KINDS = { webhook: 'webhookTokens', api: 'apiTokens', session: 'sessions' } as const;
  for (const [kind, collection] of Object.entries(KINDS) as [keyof typeof KINDS, (typeof KINDS)[keyof typeof KINDS]][])
    it(`finds existing ones: ${collection}`, async () => {
      const [onRecord, other] = [newToken(kind), newToken(kind)];
      // With an id, which has a unique index.
      await collections[collection].insertOne({ _id: hashOfToken(onRecord), id: onRecord } as never);
      expect(await Promise.all([isKnown(onRecord), isKnown(other), isKnown(onRecord)])).to.deep.equal([
        true,
        false,
        true,
      ]);
    });

  it('does not find malformed tokens', async () => {
    for (const text of ['', 'x', newToken('invitation'), `${newToken('api')}x`])
      expect(await isKnown(text), text).to.equal(false);
  });
});
