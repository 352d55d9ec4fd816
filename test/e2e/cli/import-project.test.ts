import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { testsAsOf } from '#src/db/targets/definitions.js';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import { startMongodb, type RunningMongodb } from '#tools/stack/servers/run-mongodb.js';
import { ConflictError, InvalidInputError } from '#src/domain/errors.js';
import { legacyProjectIdOf, randomId, targetIdOf } from '#src/domain/ids.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { hashOfToken, looksLikeToken } from '#src/domain/tokens/token-format.js';
import { describeProject, importProject, type ImportedProject } from '#src/services/projects/import-project.js';
import { failAfter, KilledError } from '#test/builders/fail-after.js';
import { projectFileText } from '#test/builders/project-file.js';

const test = (name: string, more = '') => `{name: ${name}, command: [node, x]${more}}`;

describe('import of a project file', function () {
  this.timeout(60_000);
  const secretKeys = [randomBytes(32)];
  const clock = { now: () => new Date() };
  let folder: string;
  let mongodb: RunningMongodb;
  let client: MongoClient;
  let collections: Collections;
  let databases = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-import-'));
    mongodb = await startMongodb({ dataDir: join(folder, 'mongodb'), log: () => {} });
    client = await new MongoClient(mongodb.url, { ignoreUndefined: true }).connect();
  });

  beforeEach(async () => {
    collections = collectionsOf(client.db(`import-${++databases}`));
    await setUpDatabase(collections);
  });

  after(async () => {
    await client?.close();
    await mongodb?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function importText(text: string, into = collections): Promise<ImportedProject> {
    const file = join(folder, `${randomBytes(4).toString('hex')}.yaml`);
    await writeFile(file, text);
    return importProject({ collections: into, secretKeys, clock }, file);
  }

  /** Everything that an import writes, except times, change numbers and random values; ids are replaced by names. */
  async function state() {
    const times = { modifiedAt: 0, createdAt: 0, archivedAt: 0, changeNumber: 0, archivedAtChange: 0 };
    const all = async (name: keyof Collections) =>
      (collections[name] as Collections['projects']).find({}, { projection: times, sort: { _id: 1 } }).toArray();
    const archived = async (name: 'tests' | 'suites') =>
      (collections[name] as Collections['tests']).distinct('_id', { archivedAt: { $exists: true } });
    const written = {
      projects: await all('projects'),
      tests: await all('tests'),
      suites: await all('suites'),
      revisions: await all('testRevisions'),
      archived: [await archived('tests'), await archived('suites')],
      tokens: await collections.webhookTokens.countDocuments({ revokedAt: { $exists: false } }),
    };
    let text = JSON.stringify(written);
    for (const kind of ['projects', 'tests', 'suites'] as const)
      for (const { _id, name } of written[kind]) text = text.replaceAll(_id, `${kind} ${name}`);
    const { projects, tests, suites, revisions, ...rest } = JSON.parse(text) as typeof written;
    const byId = (documents: { _id: string }[]) => documents.sort((a, b) => (a._id < b._id ? -1 : 1));
    for (const ids of rest.archived) ids.sort();
    return { ...rest, documents: [projects, tests, suites, revisions].map(byId) };
  }

  it('creates the project, its tests, suites and token', async () => {
    const text = projectFileText([test('A'), test('B')], ['{name: S, tests: [B, A, B]}'], 'Café & Co');
    const imported = await importText(text);
    const { projectId } = imported;
    expect(projectId).to.match(/^.{14}4.{4}[89ab]/);
    const [a, b] = [targetIdOf(projectId, 'test', 'A'), targetIdOf(projectId, 'test', 'B')];
    expect(imported).to.deep.include({ projectId, name: 'Café & Co', tests: { A: a, B: b } });
    expect(imported.suites).to.deep.equal({ S: targetIdOf(projectId, 'suite', 'S') });
    expect(looksLikeToken('webhook', imported.webhookToken)).to.equal(true);

    expect(await collections.projects.findOne()).to.include({ _id: projectId, slug: 'cafe-co' });
    expect(await collections.tests.findOne({ _id: a })).to.deep.include({ projectId, name: 'A', revision: 1 });
    expect((await collections.suites.findOne())!.definition.tests).to.deep.equal([b, a, b]);
    const token = await collections.webhookTokens.findOne();
    expect(token).to.include({ _id: hashOfToken(imported.webhookToken), projectId, number: 1 });
    expect(JSON.stringify(token)).not.to.include(imported.webhookToken);
    expect(await describeProject({ collections, secretKeys }, projectId)).to.deep.equal(imported);
  });

  it('changes nothing if nothing has changed, apart from the order of variables', async () => {
    const first = await importText(projectFileText([test('A', ', env: {X: 1, Y: 2}')], ['{name: S, tests: [A]}']));
    const before = await state();
    expect(
      await importText(projectFileText([test('A', ', env: {Y: 2, X: 1}')], ['{name: S, tests: [A]}'])),
    ).to.deep.equal(first);
    expect(await state()).to.deep.equal(before);
    expect((await collections.tests.findOne())!.revision).to.equal(1);
  });

  it('creates a new revision of what has changed, and keeps the previous one', async () => {
    const { tests } = await importText(projectFileText([test('A'), test('B')], ['{name: S, tests: [A]}']));
    await importText(projectFileText([test('A', ', retries: 2'), test('B')], ['{name: S, tests: [A, B]}']));
    expect(await collections.tests.findOne({ _id: tests.A! })).to.deep.include({ revision: 2 });
    expect(await collections.tests.findOne({ _id: tests.B! })).to.deep.include({ revision: 1 });
    expect((await collections.suites.findOne())!.revision).to.equal(2);
    const kept = await collections.testRevisions.find().toArray();
    expect(kept.map(({ _id }) => _id)).to.deep.equal([`${tests.A}:1`]);
    expect(kept[0]!.definition.retries).to.equal(0);
  });

  it('renames by id', async () => {
    const id = '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11';
    await importText(projectFileText([test('Old', `, id: ${id}`)]));
    const { tests } = await importText(projectFileText([test('New', `, id: ${id}`)]));
    expect(tests).to.deep.equal({ New: id });
    expect(await collections.tests.findOne()).to.include({ name: 'New', revision: 2 });
    expect(await collections.testRevisions.findOne()).to.include({ name: 'Old', revision: 1 });
  });

  it('archives what was removed and restores what returns, with its revision', async () => {
    const both = projectFileText([test('A'), test('B')], ['{name: S, tests: [A, B]}']);
    const { projectId, tests } = await importText(both);
    expect(await importText(projectFileText([test('A')]))).to.deep.include({ tests: { A: tests.A }, suites: {} });
    expect((await collections.tests.findOne({ _id: tests.B! }))!.archivedAt).to.be.instanceOf(Date);
    expect((await importText(both)).tests).to.deep.equal(tests);
    const back = await collections.tests.findOne({ _id: tests.B! });
    expect(back).to.include({ revision: 1, projectId }).and.not.have.property('archivedAt');
  });

  it('leaves runs and other projects alone', async () => {
    const other = await importText(projectFileText([test('A')], [], 'Other'));
    const { projectId } = await importText(projectFileText([test('A')]));
    const run = { _id: 'run', projectId, status: 'passed' } as never;
    await collections.runs.insertOne(run);
    await importText(projectFileText([]));
    expect(await collections.runs.findOne()).to.deep.equal(run);
    expect(await describeProject({ collections, secretKeys }, other.projectId)).to.deep.equal(other);
  });

  it('refuses ids of another project without writing anything', async () => {
    const id = '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11';
    await importText(projectFileText([test('A', `, id: ${id}`)], [], 'Owner'));
    const before = await state();
    const problem = await importText(projectFileText([test('X'), test('B', `, id: ${id}`)])).catch((error) => error);
    expect(problem).to.be.instanceOf(ProjectFileError);
    expect(problem.message).to.match(new RegExp(`\\.yaml:4: the ID ${id} \\("B"\\) belongs to a different project`));
    expect(await state()).to.deep.equal(before);
  });

  /** A project created by the API, as preparation for a file of this name. */
  async function addSquatter(id: string): Promise<void> {
    const more = { slug: id, revision: 1, createdAt: new Date(), createdBy: randomId() };
    await collections.projects.insertOne({
      _id: id,
      name: 'Demo',
      ...more,
      origin: { by: `user ${id}`, name: 'Demo' },
    });
  }

  it('does not adopt a project that was created by the API', async () => {
    for (const id of [randomId(), legacyProjectIdOf('Demo')]) await addSquatter(id);
    const { projectId } = await importText(projectFileText([test('A')]));
    expect(await collections.tests.distinct('projectId')).to.deep.equal([projectId]);
    expect(await collections.projects.findOne({ _id: projectId })).to.deep.include({
      origin: { by: 'setup', name: 'Demo' },
    });
    expect((await importText(projectFileText([test('A')]))).projectId).to.equal(projectId);
  });

  it('refuses the id of a project that was created by the API, without writing anything', async () => {
    const id = randomId();
    await addSquatter(id);
    const before = await state();
    const problem = await importText(`id: ${id}\n${projectFileText([test('A')])}`).catch((error) => error);
    expect(problem).to.be.instanceOf(ConflictError);
    expect(problem.message).to.include(id).and.to.include('runhook apply');
    expect(await state()).to.deep.equal(before);
  });

  it('creates a project with the id of the file, and finds it again by the id', async () => {
    const id = randomId();
    const text = `id: ${id}\n${projectFileText([test('A')])}`;
    expect((await importText(text)).projectId).to.equal(id);
    expect((await importText(text.replace('Demo', 'Other'))).projectId).to.equal(id);
    expect((await importText(projectFileText([test('A')]))).projectId).not.to.equal(id);
  });

  it('finds a project that an older version created, once the database is set up', async () => {
    const id = legacyProjectIdOf('Demo');
    await collections.projects.insertOne({
      _id: id,
      name: 'Renamed',
      slug: 'demo',
      revision: 3,
      createdAt: new Date(),
    });
    const own = randomId();
    await collections.projects.insertOne({ _id: own, name: 'Own id', slug: 'own', revision: 1, createdAt: new Date() });
    await setUpDatabase(collections);
    const { projectId, tests } = await importText(projectFileText([test('A')]));
    expect([projectId, tests.A]).to.deep.equal([id, targetIdOf(id, 'test', 'A')]);
    expect((await importText(`id: ${own}\n${projectFileText([], [], 'Own id')}`)).projectId).to.equal(own);
    expect(await collections.projects.countDocuments()).to.equal(2);
  });

  it('creates and opens the pools of its files, until an admin decides', async () => {
    const text = projectFileText([test('A', ', pool: gpu')]);
    const first = await importText(text);
    const second = await importText(projectFileText([test('A', ', pool: gpu')], [], 'Other'));
    const store = createPoolStore(collections);
    expect((await store.find('gpu'))!.projects).to.deep.equal([first.projectId, second.projectId]);
    await store.replace('gpu', 1, { description: '', projects: [second.projectId] });
    const problem = await importText(text).catch((error) => error);
    expect(problem).to.be.instanceOf(ProjectFileError);
    expect(problem.message)
      .to.include(':3: the test "A": this project cannot use the pool "gpu"')
      .and.include('default');
    expect((await store.find('gpu'))!.projects).to.deep.equal([second.projectId]);
  });

  it('names a file that cannot be read', async () => {
    const missing = join(folder, 'missing.yaml');
    const problem = await importProject({ collections, secretKeys, clock }, missing).catch((error) => error);
    expect(problem).to.be.instanceOf(InvalidInputError);
    expect(problem.message).to.include(missing);
  });

  it('gives projects with the same slug distinct slugs', async () => {
    for (const name of ['A b', 'a-B', '"a b!"']) await importText(projectFileText([], [], name));
    const slugs = await collections.projects.distinct('slug');
    expect(slugs).to.include('a-b').and.to.have.length(3);
  });

  it('creates a token only if none is valid', async () => {
    const { webhookToken, projectId } = await importText(projectFileText([]));
    await collections.webhookTokens.updateOne({}, { $set: { revokedAt: new Date() } });
    expect(await describeProject({ collections, secretKeys }, projectId)).to.equal(undefined);
    const again = await importText(projectFileText([]));
    expect(again.webhookToken).not.to.equal(webhookToken);
    expect((await importText(projectFileText([]))).webhookToken).to.equal(again.webhookToken);
  });

  it('converges when the same file is imported eight times concurrently', async () => {
    const text = (retries: number) =>
      projectFileText([test('A', `, retries: ${retries}`), test('B')], ['{name: S, tests: [A, B]}']);
    for (const retries of [1, 2]) {
      const imported = await Promise.all(Array.from({ length: 8 }, () => importText(text(retries))));
      for (const one of imported) expect(one).to.deep.equal(imported[0]);
      expect(await collections.tests.distinct('revision', { name: 'A' })).to.deep.equal([retries]);
    }
    expect(await state()).to.include({ tokens: 1 });
    expect(await collections.testRevisions.countDocuments()).to.equal(1);
  });

  it('converges when it is killed after any write and repeated', async () => {
    const before = projectFileText(
      [test('A'), test('B'), test('C')],
      ['{name: S, tests: [A, B]}', '{name: T, tests: [C]}'],
    );
    const after = projectFileText([test('A', ', retries: 1'), test('B'), test('D')], ['{name: S, tests: [D, A]}']);
    await importText(before);
    await importText(after);
    const expected = await state();
    let writes = 0;
    for (let killed = true; killed; writes++) {
      collections = collectionsOf(client.db(`import-${++databases}`));
      await setUpDatabase(collections);
      killed = false;
      for (const text of [before, after])
        await importText(text, failAfter(collections, writes)).catch((error) => {
          if (!(error instanceof KilledError)) throw error;
          killed = true;
          return importText(text);
        });
      expect(await state(), `killed after ${writes} writes`).to.deep.equal(expected);
    }
    expect(writes).to.be.greaterThan(5);
  });

  it('imports 1,000 tests in seconds', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `test ${index}`);
    const text = (retries: number) =>
      projectFileText(
        names.map((name) => test(name, `, retries: ${retries}`)),
        [`{name: all, tests: [${names.join(', ')}]}`],
      );
    await importText(text(0));
    await importText(text(1));
    expect(await collections.tests.countDocuments({ revision: 2 })).to.equal(1000);
    expect(await collections.testRevisions.countDocuments()).to.equal(1000);
  }).timeout(10_000);

  it("reads tests as of a change number, regardless of the importer's clock", async () => {
    const numbers: number[] = [];
    const tests: Record<string, string> = {};
    let projectOfImport = '';
    const steps = [
      [test('Other')],
      [test('A'), test('Gone')],
      [test('A', ', retries: 1'), test('Gone')],
      [test('A', ', retries: 2')],
    ];
    for (const step of steps) {
      const imported = await importText(projectFileText(step));
      Object.assign(tests, imported.tests);
      projectOfImport = imported.projectId;
      numbers.push((await collections.changeNumbers.findOne({ _id: projectOfImport }))!.value);
    }
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    await collections.tests.updateMany({}, { $set: { modifiedAt: hours(2) } });
    const at = async (step: number, projectId = projectOfImport) => {
      const trigger = { projectId, changeNumber: numbers[step]!, queuedAt: hours(-2) };
      const found = await testsAsOf(collections, [tests.A!, tests.Gone!, tests.A!, 'unknown'], trigger);
      const { definition, revision } = found.get(tests.A!) ?? {};
      return { a: definition?.retries, revision, gone: found.get(tests.Gone!)?.isArchived ?? false, size: found.size };
    };
    expect(await at(0)).to.deep.equal({ a: undefined, revision: undefined, gone: false, size: 0 });
    expect(await at(1)).to.deep.equal({ a: 0, revision: 1, gone: false, size: 2 });
    expect(await at(2)).to.deep.equal({ a: 1, revision: 2, gone: false, size: 2 });
    expect(await at(3)).to.deep.equal({ a: 2, revision: 3, gone: true, size: 2 });
    expect(await at(3, 'another project')).to.include({ size: 0 });
  });
});
