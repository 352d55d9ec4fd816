import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createCredentialLookUp } from '#src/db/tokens/credential-look-up.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('look-up of credentials', () => {
  let collections: Collections;
  let isKnown: (credential: string) => Promise<boolean>;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    const lookUp = createCredentialLookUp(collections);
    isKnown = (credential) => lookUp(credential, Infinity);
  });

  const KINDS = { webhook: 'webhookTokens', api: 'apiTokens', session: 'sessions' } as const;
  for (const [kind, collection] of Object.entries(KINDS) as [keyof typeof KINDS, (typeof KINDS)[keyof typeof KINDS]][])
    it(`finds those on record: ${collection}`, async () => {
      const [onRecord, other] = [newToken(kind), newToken(kind)];
      // Unique indexes are on fields that every one of them has.
      await collections[collection].insertOne({ _id: hashOfToken(onRecord), id: onRecord } as never);
      expect(await Promise.all([isKnown(onRecord), isKnown(other), isKnown(onRecord)])).to.deep.equal([
        true,
        false,
        true,
      ]);
    });

  it('finds nothing that has not the form of a token', async () => {
    for (const text of ['', 'x', newToken('invitation'), `${newToken('api')}x`])
      expect(await isKnown(text), text).to.equal(false);
  });
});
