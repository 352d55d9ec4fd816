import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Collections } from '../../../src/db/collections.js';
import { SEALED_PLACES, type SealedPlace } from '../../../src/db/sealed-places.js';
import { ensureWebhookToken, showWebhookToken } from '../../../src/db/webhook-tokens.js';
import { randomId } from '../../../src/domain/ids.js';
import { isSealedWith, open, seal } from '../../../src/domain/secret-box.js';
import { rotateSecrets } from '../../../src/services/rotate-secrets.js';
import { aTestRun } from '../../builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '../../support/database.js';

describe('rotation of secret keys', () => {
  const [oldKey, newKey, lostKey] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
  let collections: Collections;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });
  beforeEach(() => collections.webhookTokens.deleteMany({}));

  it('seals all with the newest key, says how many, and does nothing the second time', async () => {
    const projects = Array.from({ length: 600 }, () => randomId());
    await Promise.all(projects.map((id) => ensureWebhookToken(collections.webhookTokens, [oldKey], id)));
    const before = await showWebhookToken(collections.webhookTokens, [oldKey], projects[0]!);

    const [first] = await rotateSecrets(collections, [newKey, oldKey]);
    expect(first).to.deep.equal({ name: 'webhook tokens', resealed: 600, upToDate: 0, failed: [] });
    expect(await showWebhookToken(collections.webhookTokens, [newKey], projects[0]!)).to.equal(before);
    const [second] = await rotateSecrets(collections, [newKey, oldKey]);
    expect(second).to.deep.equal({ name: 'webhook tokens', resealed: 0, upToDate: 600, failed: [] });
  });

  it('seals the secret variables of profiles and runs, and leaves the plain ones', async () => {
    const plain = { key: 'A', isSecret: false, value: '1' };
    const variables = [plain, { key: 'B', isSecret: true, sealed: seal([oldKey], 'hunter22') }];
    const run = aTestRun({ variables });
    await collections.runs.insertOne(run);
    const profile = { _id: randomId(), projectId: run.projectId, name: 'P', isDefault: false, revision: 1 };
    await collections.profiles.insertOne({ ...profile, variables, modifiedAt: new Date() });
    await rotateSecrets(collections, [newKey, oldKey]);
    const kept = [
      await collections.runs.findOne({ _id: run._id }),
      await collections.profiles.findOne({ _id: profile._id }),
    ].map((document) => document!.variables!);
    for (const [first, second] of kept) {
      expect(first).to.deep.equal(plain);
      expect(isSealedWith(newKey, second!.sealed!)).to.equal(true);
      expect(open([newKey], second!.sealed!)).to.equal('hunter22');
    }
  });

  it('names what it has no key for, and seals the others', async () => {
    const [mine, theirs] = [randomId(), randomId()];
    await ensureWebhookToken(collections.webhookTokens, [oldKey], mine);
    await ensureWebhookToken(collections.webhookTokens, [lostKey], theirs);
    const [place] = await rotateSecrets(collections, [newKey, oldKey]);
    const lost = (await collections.webhookTokens.findOne({ projectId: theirs }))!;
    expect(place).to.include({ resealed: 1 });
    expect(place!.failed.map(({ id }) => id)).to.deep.equal([lost._id]);
    expect(place!.failed[0]!.reason).to.contain('RUNHOOK_SECRET_KEYS');
  });

  it('loses no change that is made meanwhile', async () => {
    const projectId = randomId();
    await ensureWebhookToken(collections.webhookTokens, [oldKey], projectId);
    const changed = seal([oldKey], 'changed meanwhile');
    let isFirst = true;
    const [tokens] = SEALED_PLACES;
    const place: SealedPlace = {
      ...tokens!,
      map(value, reseal) {
        if (isFirst) change = collections.webhookTokens.updateOne({ projectId }, { $set: { encrypted: changed } });
        isFirst = false;
        return tokens!.map(value, reseal);
      },
    };
    let change: Promise<unknown> = Promise.resolve();
    const held = { ...collections, webhookTokens: heldUntil(collections.webhookTokens, () => change) };
    await rotateSecrets(held, [newKey, oldKey], [place]);
    const { encrypted } = (await collections.webhookTokens.findOne({ projectId }))!;
    expect(isSealedWith(newKey, encrypted)).to.equal(true);
    expect(await showWebhookToken(collections.webhookTokens, [newKey], projectId)).to.equal('changed meanwhile');
  });
});

/** The collection, whose updates wait for something. */
function heldUntil<T extends Collections['webhookTokens']>(collection: T, ready: () => Promise<unknown>): T {
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'updateOne')
        return async (...[filter, update]: Parameters<T['updateOne']>) => {
          await ready();
          return target.updateOne(filter, update);
        };
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
