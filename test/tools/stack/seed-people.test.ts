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

describe('the first account, and its credentials file', () => {
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
    // A database without users.
    collections = collectionsOf((await testDatabase()).db.client.db(`people_${randomId()}`));
    await setUpDatabase(collections);
    deps = { collections, clock: (await testDatabase()).clock };
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await (await testDatabase()).db.client.db(collections.users.dbName).dropDatabase();
  });

  it('is created once by concurrent calls', async () => {
    const made = await Promise.all([1, 2, 3].map(() => createFirstAdmin(deps, GIVEN)));
    expect(made.filter(Boolean)).to.have.length(1);
    expect(made.find(Boolean)!.password).to.match(/^[\w-]{24}$/);
    expect(await collections.users.countDocuments()).to.equal(1);
    expect(await createFirstAdmin(deps, { email: 'other@localhost' })).to.equal(undefined);
    expect(JSON.stringify(await collections.audit.find().toArray())).not.to.include(made.find(Boolean)!.password);
  });

  it('is the same at each start, with the same tokens, in a file that only its owner can read', async () => {
    const start = async () => {
      const input = chooseAdmin(file, GIVEN);
      await createFirstAdmin(deps, input);
      return seedPeople(collections, file, input, ['a-project']);
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
    const { apiToken } = first.admin!;
    expect(changed.admin).to.deep.equal({ email: 'admin@localhost', password: undefined, apiToken });
    expect(readCredentials(file).admin).not.to.have.property('password');
  });

  it('is not created if there are accounts', async () => {
    await createFirstAdmin(deps, { email: 'somebody@example.test' });
    const input = chooseAdmin(file, GIVEN);
    expect(await createFirstAdmin(deps, input)).to.equal(undefined);
    expect(await seedPeople(collections, file, input, [])).to.deep.equal({ admin: undefined, projectTokens: {} });
  });

  it('reports an invalid file', () => {
    writeFileSync(file, 'no JSON');
    expect(() => chooseAdmin(file, GIVEN)).to.throw(/Cannot read .*credentials\.json\. Delete it/);
  });
}).timeout(60_000);
