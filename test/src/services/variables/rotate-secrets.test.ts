import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { SEALED_FIELDS, type SealedField } from '#src/db/variables/sealed-fields.js';
import { ensureWebhookToken, showWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import { createInvitationStore } from '#src/db/people/invitation-store.js';
import { randomId } from '#src/domain/ids.js';
import { isSealedWith, open, seal } from '#src/domain/variables/secret-box.js';
import type { Principal } from '#src/domain/people/rights.js';
import { createInvitations } from '#src/services/people/invitation-service.js';
import { rotateSecrets } from '#src/services/variables/rotate-secrets.js';
import { aClock } from '#test/builders/clock.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('rotation of secret keys', () => {
  const [oldKey, newKey, lostKey] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
  let collections: Collections;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });
  // Other tests of this database encrypt with other keys.
  beforeEach(async () => {
    await collections.webhookTokens.deleteMany({});
    await collections.variableSets.deleteMany({});
    await collections.runs.deleteMany({});
    await collections.invitations.deleteMany({});
  });

  it('encrypts everything with the newest key, reports how many, and changes nothing the second time', async () => {
    const projects = Array.from({ length: 600 }, () => randomId());
    await Promise.all(projects.map((id) => ensureWebhookToken(collections.webhookTokens, [oldKey], id)));
    const before = await showWebhookToken(collections.webhookTokens, [oldKey], projects[0]!);

    expect((await rotateSecrets(collections, [newKey, oldKey]))[0]).to.deep.equal({
      name: 'webhook tokens',
      resealed: 600,
      upToDate: 0,
      failed: [],
    });
    expect(await showWebhookToken(collections.webhookTokens, [newKey], projects[0]!)).to.equal(before);
    expect((await rotateSecrets(collections, [newKey, oldKey]))[0]).to.deep.equal({
      name: 'webhook tokens',
      resealed: 0,
      upToDate: 600,
      failed: [],
    });
  });

  it('encrypts secret variables of variable sets and runs again, and leaves plain ones unchanged', async () => {
    const variables = [
      { key: 'PLAIN', isSecret: false, value: 'v1.0123456789abcdef.no.secret' },
      { key: 'SECRET', isSecret: true, sealed: seal([oldKey], 'hidden') },
    ];
    const [withSecret, plain] = [aTestRun({ variables }), aTestRun({ variables: variables.slice(0, 1) })];
    await collections.runs.insertMany([withSecret, plain, aTestRun()]);
    await collections.variableSets.insertOne({
      _id: randomId(),
      projectId: randomId(),
      name: 'P',
      isDefault: false,
      variables,
      revision: 1,
      modifiedAt: new Date(),
    });
    const results = await rotateSecrets(collections, [newKey, oldKey]);
    expect(
      results
        .filter(({ name }) => name.includes('variable'))
        .map(({ name, resealed, upToDate }) => [name, resealed, upToDate]),
    ).to.deep.equal([
      ['variable sets', 1, 0],
      ['run variables', 1, 0],
    ]);
    for (const collection of [collections.runs, collections.variableSets] as unknown as Collections['variableSets'][]) {
      const found = (await collection.findOne({ 'variables.key': 'SECRET' }))!;
      expect(found.variables[0]).to.deep.equal(variables[0]);
      expect(open([newKey], found.variables[1]!.sealed!)).to.equal('hidden');
    }
  });

  it('encrypts the links of invitations, which a repeat then decrypts with the newest key alone', async () => {
    const audit = { note: async () => {} };
    const principal = { via: 'session', userId: randomId(), name: 'ada@example.test' } as Principal;
    const caller = { principal, address: '127.0.0.1' };
    const projectId = randomId();
    const invite = (secretKeys: Buffer[]) =>
      createInvitations({
        invitations: createInvitationStore(collections),
        audit,
        clock: aClock(),
        secretKeys,
        publicUrl: 'http://runhook.test',
      }).create(caller, projectId, { role: 'viewer' }, 'a key');
    const { url } = await invite([oldKey]);
    const { resealed } = (await rotateSecrets(collections, [newKey, oldKey])).find(({ name }) =>
      name.includes('invitation'),
    )!;
    expect(resealed).to.equal(1);
    expect((await invite([newKey])).url).to.equal(url);
  });

  it('reports documents whose key is missing, and encrypts the others', async () => {
    const [mine, theirs] = [randomId(), randomId()];
    await ensureWebhookToken(collections.webhookTokens, [oldKey], mine);
    await ensureWebhookToken(collections.webhookTokens, [lostKey], theirs);
    const [place] = await rotateSecrets(collections, [newKey, oldKey]);
    const lost = (await collections.webhookTokens.findOne({ projectId: theirs }))!;
    expect(place).to.include({ resealed: 1 });
    expect(place!.failed.map(({ id }) => id)).to.deep.equal([lost._id]);
    expect(place!.failed[0]!.reason).to.contain('RUNHOOK_SECRET_KEYS');
  });

  it('does not lose concurrent changes', async () => {
    const projectId = randomId();
    await ensureWebhookToken(collections.webhookTokens, [oldKey], projectId);
    const changed = seal([oldKey], 'changed meanwhile');
    let isFirst = true;
    const [tokens] = SEALED_FIELDS;
    const place: SealedField = {
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

/** A collection whose updates wait for a promise. */
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
