import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import { readCredentials } from '#tools/stack/credentials-file.js';
import { chooseAdmin, seedPeople } from '#tools/stack/seed-people.js';
import { randomId } from '#src/domain/ids.js';
import { createFirstAdmin } from '#src/services/people/create-first-admin.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

const GIVEN = { email: 'admin@localhost' };

describe('the first account, and what npm start keeps of it', () => {
  let folder: string;
  let file: string;
  let collections: Collections;
  let deps: Parameters<typeof createFirstAdmin>[0];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    await testDatabase();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-people-'));
    file = join(folder, 'credentials.json');
    // One without any users.
    collections = collectionsOf((await testDatabase()).db.client.db(`people_${randomId()}`));
    await setUpDatabase(collections);
    deps = { collections, clock: (await testDatabase()).clock };
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await (await testDatabase()).db.client.db(collections.users.dbName).dropDatabase();
  });

  it('is made once, also by several at the same time', async () => {
    const made = await Promise.all([1, 2, 3].map(() => createFirstAdmin(deps, GIVEN)));
    expect(made.filter(Boolean)).to.have.length(1);
    expect(made.find(Boolean)!.password).to.match(/^[\w-]{24}$/);
    expect(await collections.users.countDocuments()).to.equal(1);
    expect(await createFirstAdmin(deps, { email: 'other@localhost' })).to.equal(undefined);
    expect(JSON.stringify(await collections.audit.find().toArray())).not.to.include(made.find(Boolean)!.password);
  });

  it('is the same at each start, with the same tokens, in a file for its owner only', async () => {
    const start = async () => {
      const wanted = chooseAdmin(file, GIVEN);
      await createFirstAdmin(deps, wanted);
      return seedPeople(collections, file, wanted, ['a-project']);
    };
    const first = await start();
    expect(first.admin).to.include({ email: 'admin@localhost' });
    expect(first.admin!.password).to.be.a('string');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(await start()).to.deep.equal(first);

    await collections.apiTokens.updateOne({ projectId: 'a-project' }, { $set: { revokedAt: new Date() } });
    const renewed = await start();
    expect(renewed.projectTokens['a-project']).not.to.equal(first.projectTokens['a-project']);

    const passwordHash = await createPasswordHasher().hash('one of the owner’s own');
    await collections.users.updateOne({}, { $set: { passwordHash } });
    const changed = await start();
    expect(changed.admin).to.deep.equal({ email: 'admin@localhost', apiToken: first.admin!.apiToken });
    expect(readCredentials(file).admin).not.to.have.property('password');
  });

  it('is left alone where there were accounts before', async () => {
    await createFirstAdmin(deps, { email: 'somebody@example.test' });
    const wanted = chooseAdmin(file, GIVEN);
    expect(await createFirstAdmin(deps, wanted)).to.equal(undefined);
    expect(await seedPeople(collections, file, wanted, [])).to.deep.equal({ projectTokens: {} });
  });

  it('says what is wrong with a file that cannot be read', () => {
    writeFileSync(file, 'no JSON');
    expect(() => chooseAdmin(file, GIVEN)).to.throw(/Cannot read .*credentials\.json\. Delete it/);
  });
}).timeout(60_000);
