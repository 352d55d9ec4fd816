import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { collectionsOf, type Collections } from '../../src/db/collections.js';
import { testsAsOf } from '../../src/db/definitions.js';
import { setUpDatabase } from '../../src/db/set-up.js';
import { startMongodb, type RunningMongodb } from '../../src/dev/servers/run-mongodb.js';
import { InvalidInputError } from '../../src/domain/errors.js';
import { projectIdOf, targetIdOf } from '../../src/domain/ids.js';
import { ProjectFileError } from '../../src/domain/project-file-error.js';
import { hashOfToken, looksLikeToken } from '../../src/domain/token-format.js';
import { describeProject, importProject, type ImportedProject } from '../../src/services/import-project.js';
import { failAfter, KilledError } from '../builders/fail-after.js';
import { projectFileText } from '../builders/project-file.js';

const test = (name: string, more = '') => `{name: ${name}, command: [node, x]${more}}`;

describe('import of a project file', function () {
  this.timeout(60_000);
  const secretKeys = [randomBytes(32)];
  let folder: string;
  let mongodb: RunningMongodb;
  let client: MongoClient;
  let collections: Collections;
  let databases = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-import-'));
    mongodb = await startMongodb({ dataDir: join(folder, 'mongodb'), log: () => {} });
    client = await new MongoClient(mongodb.url).connect();
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
    return importProject({ collections: into, secretKeys }, file);
  }

  /** Everything that an import writes, but times and what is random. */
  async function state() {
    const times = { modifiedAt: 0, createdAt: 0, archivedAt: 0 };
    const all = async (name: keyof Collections) =>
      (collections[name] as Collections['projects']).find({}, { projection: times, sort: { _id: 1 } }).toArray();
    const archived = async (name: 'tests' | 'suites') =>
      (collections[name] as Collections['tests']).distinct('_id', { archivedAt: { $exists: true } });
    return {
      projects: await all('projects'),
      tests: await all('tests'),
      suites: await all('suites'),
      revisions: await all('testRevisions'),
      archived: [await archived('tests'), await archived('suites')],
      tokens: await collections.webhookTokens.countDocuments({ revokedAt: { $exists: false } }),
    };
  }

  it('makes the project, its tests, suites and token', async () => {
    const text = projectFileText([test('A'), test('B')], ['{name: S, tests: [B, A, B]}'], 'Café & Co');
    const imported = await importText(text);
    const projectId = projectIdOf('Café & Co');
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

  it('changes nothing when nothing has changed, the order of variables aside', async () => {
    const first = await importText(projectFileText([test('A', ', env: {X: 1, Y: 2}')], ['{name: S, tests: [A]}']));
    const before = await state();
    expect(
      await importText(projectFileText([test('A', ', env: {Y: 2, X: 1}')], ['{name: S, tests: [A]}'])),
    ).to.deep.equal(first);
    expect(await state()).to.deep.equal(before);
    expect((await collections.tests.findOne())!.revision).to.equal(1);
  });

  it('gives what has changed a new revision, and keeps the one before it', async () => {
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

  it('archives what is gone and takes back what returns, with its revision', async () => {
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
    const run = { _id: 'run', projectId: projectIdOf('Demo'), status: 'passed' } as never;
    await collections.runs.insertOne(run);
    await importText(projectFileText([test('A')]));
    await importText(projectFileText([]));
    expect(await collections.runs.findOne()).to.deep.equal(run);
    expect(await describeProject({ collections, secretKeys }, other.projectId)).to.deep.equal(other);
  });

  it('refuses ids of another project, and writes nothing then', async () => {
    const id = '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11';
    await importText(projectFileText([test('A', `, id: ${id}`)], [], 'Owner'));
    const before = await state();
    const problem = await importText(projectFileText([test('X'), test('B', `, id: ${id}`)])).catch((error) => error);
    expect(problem).to.be.instanceOf(ProjectFileError);
    expect(problem.message).to.match(new RegExp(`\\.yaml:4: the id ${id} of "B" belongs to another project`));
    expect(await state()).to.deep.equal(before);
  });

  it('says which file cannot be read', async () => {
    const missing = join(folder, 'missing.yaml');
    const problem = await importProject({ collections, secretKeys }, missing).catch((error) => error);
    expect(problem).to.be.instanceOf(InvalidInputError);
    expect(problem.message).to.include(missing);
  });

  it('gives projects of the same slug slugs of their own', async () => {
    for (const name of ['A b', 'a-B', '"a b!"']) await importText(projectFileText([], [], name));
    const slugs = await collections.projects.distinct('slug');
    expect(slugs).to.include('a-b').and.to.have.length(3);
  });

  it('makes a new token only when none is live', async () => {
    const { webhookToken } = await importText(projectFileText([]));
    await collections.webhookTokens.updateOne({}, { $set: { revokedAt: new Date() } });
    expect(await describeProject({ collections, secretKeys }, projectIdOf('Demo'))).to.equal(undefined);
    const again = await importText(projectFileText([]));
    expect(again.webhookToken).not.to.equal(webhookToken);
    expect((await importText(projectFileText([]))).webhookToken).to.equal(again.webhookToken);
  });

  it('converges when the same file is imported eight times at once', async () => {
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

  it('tells tests as they were at a moment', async () => {
    const moments: Date[] = [];
    let tests: Record<string, string> = {};
    const steps = [
      [test('Other')],
      [test('A'), test('Gone')],
      [test('A', ', retries: 1'), test('Gone')],
      [test('A', ', retries: 2')],
    ];
    for (const step of steps) {
      ({ tests } = { tests: { ...tests, ...(await importText(projectFileText(step))).tests } });
      moments.push(new Date());
      await sleep(2); // the next change is at a later millisecond
    }
    const at = async (moment: number) => {
      const found = await testsAsOf(collections, [tests.A!, tests.Gone!, tests.A!, 'unknown'], moments[moment]!);
      return { a: found.get(tests.A!)?.definition.retries, revision: found.get(tests.A!)?.revision, size: found.size };
    };
    expect(await at(0)).to.deep.equal({ a: undefined, revision: undefined, size: 0 });
    expect(await at(1)).to.deep.equal({ a: 0, revision: 1, size: 2 });
    expect(await at(2)).to.deep.equal({ a: 1, revision: 2, size: 2 });
    expect(await at(3)).to.deep.equal({ a: 2, revision: 3, size: 1 });
  });
});
