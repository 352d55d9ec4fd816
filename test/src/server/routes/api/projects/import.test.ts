import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Server } from '@hapi/hapi';
import type { Collections } from '#src/db/schema/collections.js';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { legacyProjectIdOf, randomId } from '#src/domain/ids.js';
import { apiServer, callApi, type ApiAnswer } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addApiToken, addPerson, type TestPerson } from '#test/support/people.js';

interface Outcome {
  projectId: string;
  dryRun: boolean;
  changes: { kind: string; name: string; change: string; fields?: string[] }[];
  unchanged: number;
  code: string;
  message: string;
  fields: { field: string; message: string }[];
}

const YAML = { 'content-type': 'application/yaml' };

/** A project file with two tests and a suite. */
function shop(project: string, more = ''): string {
  return `project: ${project}
${more}tests:
  - { name: A, command: [a], cwd: /srv }
  - { name: B, command: [b], cwd: /srv, env: { KEY: canary-env } }
suites:
  - { name: Both, tests: [A, B] }
`;
}

describe('import and export with the API', () => {
  let collections: Collections;
  let server: Server;
  let owner: TestPerson;
  let project: string;
  const send = (text: string | Buffer, query = '', token = owner.apiToken, headers = YAML) =>
    callApi<Outcome>(server, token, `POST /import/${query}`, text, headers);
  const inWords = ({ body }: ApiAnswer<Outcome>) =>
    body.changes.map(({ change, kind, name, fields }) => [change, kind, name, ...(fields ?? [])].join(' '));
  const exported = async (projectId: string) =>
    (await callApi(server, owner.apiToken, `GET /projects/${projectId}/export/`)).text;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    server = await apiServer(collections);
  });

  before(() => createPoolStore(collections).insert('gpu', { description: '', projects: 'all' }));

  beforeEach(async () => {
    owner = await addPerson(collections);
    project = `Shop ${randomId()}`;
  });

  it('reports the changes, applies them, and then finds no more', async () => {
    const expected = ['create project ' + project, 'create test A', 'create test B', 'create suite Both'];
    const dry = await send(shop(project), '?dryRun=true');
    expect([dry.status, inWords(dry), dry.body.dryRun]).to.eql([200, expected, true]);
    expect(await collections.projects.countDocuments({ name: project })).to.equal(0);
    const done = await send(shop(project));
    expect([done.status, inWords(done), done.body.dryRun]).to.eql([200, expected, false]);
    const again = await send(shop(project));
    expect([inWords(again), again.body.unchanged]).to.eql([[], 3]);
    const { projectId } = done.body;
    expect(await collections.webhookTokens.countDocuments({ projectId })).to.equal(1);
    expect(await collections.memberships.findOne({ projectId })).to.include({ userId: owner.userId, role: 'owner' });
    const notes = await collections.audit.find({ projectId }).toArray();
    expect(notes.map(({ action }) => action)).to.eql(['project.import']);
    expect(JSON.stringify(notes)).to.include('create test \\"A\\"').and.not.to.include('canary');
  });

  it('reports changed, removed and restored items', async () => {
    const { projectId } = (await send(shop(project))).body;
    const changed = `project: ${project}
retentionDays: 9
tests:
  - { name: B, command: [b, more], cwd: /srv, timeout: 9s }
  - { name: C, command: [c], cwd: /srv }
`;
    const plan = [
      `update project ${project} retentionDays`,
      'update test B command env timeoutMs',
      'create test C',
      'archive test A',
      'archive suite Both',
    ];
    expect(inWords(await send(changed, '?dryRun=true'))).to.have.members(plan);
    expect(inWords(await send(changed))).to.have.members(plan);
    expect(inWords(await send(changed))).to.eql([]);
    const back = await send(shop(project));
    expect(inWords(back)).to.include.members(['restore test A', 'restore suite Both', 'archive test C']);
    expect(inWords(await send(await exported(projectId)))).to.eql([]);
  });

  it('exports a file that imports without changes, including IDs and unusual text', async () => {
    const { projectId } = (await send(shop(project))).body;
    const odd = [
      'yes',
      '1.10',
      '',
      ' lead',
      'a: b',
      '# x',
      '- a',
      'a\r\nb',
      'a\n\nb\n',
      '\t',
      '\u0085\u2028\u0007é😀',
      "'",
      '"',
      '*x',
      '&x',
      '!x',
      '%',
      '@',
      '`',
      '{',
      'null',
      '~',
      '0x1f',
      '1e3',
      '.inf',
      '2001-01-01',
      '<<',
      '?',
      '|',
      'a\rb',
      '\ufeff',
      'x'.repeat(300) + ' y',
    ];
    const made = await callApi<{ id: string }>(server, owner.apiToken, `POST /projects/${projectId}/tests/`, {
      name: 'Odd: # "texts"',
      command: ['x', ...odd],
      cwd: '/srv/a b',
      env: Object.fromEntries(odd.map((text, index) => [`V${index}`, text])),
      timeoutMs: 90_001,
      retries: 3,
      pool: 'gpu',
    });
    expect(made.status, made.text).to.equal(201);
    await callApi(server, owner.apiToken, `POST /projects/${projectId}/suites/`, {
      name: 'All of it',
      tests: [made.body.id, made.body.id],
      timeoutMs: 7_200_000,
      priority: 1,
      overlap: 'stop-previous',
      retryFailed: 2,
    });
    await callApi(
      server,
      owner.apiToken,
      `PATCH /projects/${projectId}/`,
      { name: 'true', retentionDays: 5 },
      { 'if-match': '*' },
    );
    const text = await exported(projectId);
    expect(text).to.include(`id: ${projectId}`).and.to.include('timeout: 2h').and.not.to.include('parallelism');
    const again = await send(text);
    expect([again.status, inWords(again), again.body.unchanged]).to.eql([200, [], 5]);
  });

  it('imports the demo project with its folder, and its export without', async () => {
    const text = (await readFile('examples/demo-shop/runhook.yaml', 'utf8')).replace(
      /^project: .*$/m,
      `project: ${project}`,
    );
    const refused = await send(text);
    expect(refused.status).to.equal(400);
    expect(refused.body.fields[0]!.field).to.match(/^line \d+$/);
    expect(refused.body.fields[0]!.message).to.include('?folder=');
    const done = await send(text, '?folder=/srv/demo');
    expect(done.status, done.text).to.equal(200);
    expect(inWords(await send(await exported(done.body.projectId)))).to.eql([]);
    expect(inWords(await send(text, '?folder=/srv/demo'))).to.eql([]);
  });

  it('accepts JSON', async () => {
    const body = JSON.stringify({ project, tests: [{ name: 'A', command: ['a'], cwd: '/srv', env: { N: 1.1 } }] });
    const done = await send(body, '', owner.apiToken, { 'content-type': 'application/json' });
    expect(inWords(done)).to.eql([`create project ${project}`, 'create test A']);
  });

  it('returns the lines of all problems', async () => {
    const { status, body } = await send(
      `project: ${project}\ntests:\n  - { name: A, comand: [x], cwd: /srv }\n  - { name: A, command: [x], cwd: /srv, retries: 99 }\n`,
    );
    expect([status, body.code]).to.eql([400, 'invalid_input']);
    expect(body.fields.map(({ field }) => field)).to.eql(['line 3', 'line 3', 'line 4', 'line 4']);
    expect(body.message).to.include('line 3').and.to.include('and 3 more');
  });

  for (const [what, body, status] of [
    ['nothing', '', 400],
    ['no UTF-8', Buffer.from([0xff, 0xfe]), 400],
    ['broken YAML', 'project: [', 400],
    ['deep YAML', '['.repeat(50_000), 400],
    ['__proto__', 'project: A\n__proto__: { tests: [] }\ntests: []\n', 400],
    ['a NUL', 'project: "a\\0b"\ntests: []\n', 400],
    ['half a surrogate pair', 'project: "\\uD800"\ntests: []\n', 400],
    ['an alias bomb', `a: &a [${'x,'.repeat(9000)}]\nb: &b [${'*a,'.repeat(9000)}]\nc: [${'*b,'.repeat(9000)}]\n`, 400],
    ['more than 5 MiB', `project: A\ntests: [] #${'x'.repeat(5 * 1024 * 1024)}`, 413],
  ] as const)
    it(`rejects ${what}`, async () => {
      const answer = await send(body as string);
      expect(answer.status, answer.text.slice(0, 300)).to.equal(status);
    });

  it('rejects other content types and unknown options', async () => {
    expect((await send('x', '', owner.apiToken, { 'content-type': 'image/png' })).status).to.equal(415);
    expect((await send(shop(project), '?dry=true')).body.fields[0]!.field).to.equal('dry');
    expect((await send(shop(project), '?folder=here')).status).to.equal(400);
  });

  it('requires the rights for its changes', async () => {
    const { projectId } = (await send(shop(project))).body;
    const editor = await addPerson(collections, { roles: { [projectId]: 'editor' } });
    const viewer = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
    const stranger = await addPerson(collections);
    const bound = await addApiToken(collections, { projectId });
    const reader = await addApiToken(collections, { projectId }, ['read', 'run']);
    const statuses = async (text: string) => {
      const found = [];
      for (const token of [editor.apiToken, bound, viewer.apiToken, reader, stranger.apiToken])
        found.push((await send(text, '?dryRun=true', token)).status);
      return found;
    };
    // A stranger’s file of the same name belongs to a project of their own.
    expect(await statuses(shop(project))).to.eql([200, 200, 403, 403, 200]);
    expect(await statuses(shop(project, 'retentionDays: 4\n'))).to.eql([403, 403, 403, 403, 200]);
    expect(await statuses(shop(project, `id: ${projectId}\n`))).to.eql([200, 200, 403, 403, 404]);
    expect(await statuses(shop(`New ${project}`))).to.eql([200, 403, 200, 403, 200]);
    expect((await callApi(server, undefined, 'POST /import/', shop(project), YAML)).status).to.equal(401);
  });

  it('restores a deleted project for its owner only', async () => {
    const { projectId } = (await send(shop(project))).body;
    const editor = await addPerson(collections, { roles: { [projectId]: 'editor' } });
    await callApi(server, owner.apiToken, `DELETE /projects/${projectId}/`, undefined, { 'if-match': '*' });
    expect((await send(shop(project), '', editor.apiToken)).status).to.equal(403);
    const stranger = await addPerson(collections);
    expect((await send(shop(project, `id: ${projectId}\n`), '', stranger.apiToken)).status).to.equal(404);
    expect(inWords(await send(shop(project)))).to.eql([`restore project ${project}`]);
    expect(await collections.webhookTokens.countDocuments({ projectId, revokedAt: { $exists: false } })).to.equal(1);
    expect((await callApi(server, owner.apiToken, `GET /projects/${projectId}/`)).status).to.equal(200);
  });

  it('creates separate projects for two people who import the same name concurrently', async () => {
    const rival = await addPerson(collections);
    const answers = await Promise.all([send(shop(project)), send(shop(project), '', rival.apiToken)]);
    expect(answers.map(({ status }) => status)).to.eql([200, 200]);
    const ids = answers.map(({ body }) => body.projectId);
    const members = await collections.memberships.find({ projectId: { $in: ids } }).toArray();
    const owners = ids.map((id) => members.filter(({ projectId }) => projectId === id).map(({ userId }) => userId));
    expect(owners).to.eql([[owner.userId], [rival.userId]]);
  });

  it('creates one project for concurrent imports of a new file by one person', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(shop(project))));
    expect(answers.map(({ status }) => status)).to.eql([200, 200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.projectId)).size).to.equal(1);
    expect(await collections.projects.countDocuments({ name: project })).to.equal(1);
  });

  it('assigns random IDs to new projects, which no one can claim in advance', async () => {
    const { projectId } = (await send(shop(project))).body;
    expect(projectId)
      .to.match(/^.{14}4.{4}[89ab]/)
      .and.not.to.equal(legacyProjectIdOf(project));
    // The ID that older versions would have derived: another person uses it, and gets no access.
    const squat = await send(shop(`Other ${project}`, `id: ${legacyProjectIdOf(`Next ${project}`)}\n`));
    expect(squat.status).to.equal(404);
  });

  it('returns the same error for an unknown ID and for another person’s project', async () => {
    const { projectId } = (await send(shop(project))).body;
    const stranger = await addPerson(collections);
    for (const query of ['', '?dryRun=true'])
      for (const token of [stranger.apiToken, await addApiToken(collections, { projectId: randomId() })]) {
        const answers = [];
        for (const id of [projectId, randomId()]) {
          const { status, body } = await send(shop(project, `id: ${id}\n`), query, token);
          answers.push([status, body.code, body.message.replaceAll(id, 'ID')]);
        }
        expect(answers[0]).to.eql(answers[1]);
        expect(answers[0]![0]).to.equal(404);
      }
    expect(await collections.projects.countDocuments({ name: project })).to.equal(1);
  });

  it('returns the same error for unknown IDs and for tests of other projects', async () => {
    const { projectId } = (await send(shop(project))).body;
    const taken = (await collections.tests.findOne({ name: 'A', projectId }))!._id;
    const stranger = await addPerson(collections);
    const mine = (await send(shop(project), '', stranger.apiToken)).body.projectId;
    for (const into of [`project: New ${project}`, `project: ${project}`]) {
      const answers = [];
      for (const id of [taken, randomId()]) {
        const text = `${into}\ntests:\n  - { id: ${id}, name: A, command: [a], cwd: /srv }\n`;
        const { status, body } = await send(text, '', stranger.apiToken);
        answers.push([status, JSON.stringify(body.fields).replaceAll(id, 'ID')]);
      }
      expect(answers[0]).to.eql(answers[1]);
      expect(answers[0]).to.eql([
        400,
        JSON.stringify([
          { field: 'line 3', message: 'this project has no test with the ID ID ("A"); remove `id` to create one' },
        ]),
      ]);
    }
    expect(await collections.projects.countDocuments({ name: `New ${project}` })).to.equal(0);
    expect(await collections.tests.countDocuments({ projectId: mine, archivedAt: { $exists: false } })).to.equal(2);
  });

  it('lets an admin choose IDs, except those of another project', async () => {
    const admin = await addPerson(collections, { isAdmin: true });
    const [id, testId] = [randomId(), randomId()];
    const text = (project: string, id: string) =>
      `project: ${project}\nid: ${id}\ntests:\n  - { id: ${testId}, name: A, command: [a], cwd: /srv }\n`;
    const made = await send(text(project, id), '', admin.apiToken);
    expect([made.status, made.body.projectId]).to.eql([200, id]);
    expect(await collections.tests.findOne({ _id: testId })).to.include({ projectId: id });
    const other = await send(text(`Other ${project}`, randomId()), '', admin.apiToken);
    expect([other.status, other.body.fields[0]!.field]).to.eql([400, 'line 4']);
    expect(await collections.projects.countDocuments({ name: `Other ${project}` })).to.equal(0);
  });

  it('finds the project by the name of its file, by its own name, and no project of others', async () => {
    const { projectId } = (await send(shop(project))).body;
    const path = `PATCH /projects/${projectId}/`;
    await callApi(server, owner.apiToken, path, { name: `Store ${project}` }, { 'if-match': '*' });
    expect((await send(shop(`Store ${project}`), '?dryRun=true')).body.projectId).to.equal(projectId);
    expect((await send(shop(project))).body.projectId).to.equal(projectId);
    // An editor’s import of the same file applies to the same project; that of an admin who is not a member does not.
    const editor = await addPerson(collections, { roles: { [projectId]: 'editor' } });
    expect((await send(shop(project), '', editor.apiToken)).body.projectId).to.equal(projectId);
    const admin = await addPerson(collections, { isAdmin: true });
    expect((await send(shop(project), '', admin.apiToken)).body.projectId).not.to.equal(projectId);
  });

  it('finds a project whose ID an older version derived from its name', async () => {
    const id = legacyProjectIdOf(project);
    const old = { slug: id, revision: 1, createdAt: new Date(), createdBy: owner.userId };
    await collections.projects.insertOne({ _id: id, name: `Renamed ${project}`, ...old });
    await collections.memberships.insertOne({
      _id: `${id}:${owner.userId}`,
      projectId: id,
      userId: owner.userId,
      role: 'owner',
      createdAt: new Date(),
    });
    expect((await send(shop(project))).body.projectId).to.equal(id);
    expect((await send(shop(project))).body.changes).to.eql([]);
  });

  it('requires the ID if several of the importer’s projects match, and imports into the given one', async () => {
    const ids = [];
    for (let index = 0; index < 2; index++)
      ids.push((await callApi<{ id: string }>(server, owner.apiToken, 'POST /projects/', { name: project })).body.id);
    const { status, body } = await send(shop(project));
    expect(status).to.equal(400);
    expect(body.message).to.include(ids[0]!).and.to.include(ids[1]!);
    expect((await send(shop(project, `id: ${ids[1]}\n`))).body.projectId).to.equal(ids[1]);
    // Not found by the file’s name later: this import did not create it.
    expect((await send(shop(project))).status).to.equal(400);
  });

  it('creates a new project for a person who left the one that they imported by this name', async () => {
    const { projectId } = (await send(shop(project))).body;
    await addPerson(collections, { roles: { [projectId]: 'owner' } });
    await collections.memberships.deleteOne({ projectId, userId: owner.userId });
    const again = await send(shop(project));
    expect([again.status, again.body.projectId === projectId]).to.eql([200, false]);
    expect((await send(shop(project))).body).to.include({ projectId: again.body.projectId });
  });

  it('imports a thousand tests within seconds, and again without changes', async function () {
    this.timeout(60_000);
    const tests = Array.from(
      { length: 1000 },
      (_, index) =>
        `  - { name: Test ${index}, command: [node, check.mjs, "${index}"], cwd: /srv, retries: 1, env: { N: "${index}" } }\n`,
    );
    const names = tests.map((_, index) => `Test ${index}`).join(', ');
    const text = `project: ${project}\ntests:\n${tests.join('')}suites:\n  - { name: All, tests: [${names}] }\n`;
    const taken: number[] = [];
    const timed = async (what: string, query = '') => {
      const begin = performance.now();
      const answer = await send(what, query);
      taken.push(Math.round(performance.now() - begin));
      return inWords(answer).length;
    };
    const sizes = [
      await timed(text, '?dryRun=true'),
      await timed(text),
      await timed(text),
      await timed(text.replace(/retries: 1/g, 'retries: 2')),
    ];
    expect(sizes).to.eql([1002, 1002, 0, 1000]);
    if (process.env.SHOW_TIMES) console.log(taken);
    expect(Math.max(...taken)).to.be.below(15_000);
  });
});
