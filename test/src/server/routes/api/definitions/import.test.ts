import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Server } from '@hapi/hapi';
import type { Collections } from '../../../../../../src/db/collections.js';
import { randomId } from '../../../../../../src/domain/ids.js';
import { apiServer, callApi, type ApiAnswer } from '../../../../../support/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '../../../../../support/database.js';
import { addApiToken, addPerson, type TestPerson } from '../../../../../support/people.js';

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

/** A project file of its own, two tests and a suite. */
function shop(project: string, more = ''): string {
  return `project: ${project}
${more}tests:
  - { name: A, command: [a], cwd: /srv }
  - { name: B, command: [b], cwd: /srv, env: { KEY: canary-env } }
suites:
  - { name: Both, tests: [A, B] }
`;
}

describe('import and export in the API', () => {
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

  beforeEach(async () => {
    owner = await addPerson(collections);
    project = `Shop ${randomId()}`;
  });

  it('says what it would do, does it, and finds nothing more to do', async () => {
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

  it('tells changes, what is gone and what is back', async () => {
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

  it('exports what imports again without a change, ids and odd texts included', async () => {
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

  it('takes the demo project with its folder, and its export without', async () => {
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

  it('takes JSON', async () => {
    const body = JSON.stringify({ project, tests: [{ name: 'A', command: ['a'], cwd: '/srv', env: { N: 1.1 } }] });
    const done = await send(body, '', owner.apiToken, { 'content-type': 'application/json' });
    expect(inWords(done)).to.eql([`create project ${project}`, 'create test A']);
  });

  it('names the lines of all problems', async () => {
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
    it(`refuses ${what}`, async () => {
      const answer = await send(body as string);
      expect(answer.status, answer.text.slice(0, 300)).to.equal(status);
    });

  it('refuses other types and unknown options', async () => {
    expect((await send('x', '', owner.apiToken, { 'content-type': 'image/png' })).status).to.equal(415);
    expect((await send(shop(project), '?dry=true')).body.fields[0]!.field).to.equal('dry');
    expect((await send(shop(project), '?folder=here')).status).to.equal(400);
  });

  it('asks for the rights that its changes need', async () => {
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
    expect(await statuses(shop(project))).to.eql([200, 200, 403, 403, 404]);
    expect(await statuses(shop(project, 'retentionDays: 4\n'))).to.eql([403, 403, 403, 403, 404]);
    expect(await statuses(shop(`New ${project}`))).to.eql([200, 403, 200, 403, 200]);
    expect((await callApi(server, undefined, 'POST /import/', shop(project), YAML)).status).to.equal(401);
  });

  it('brings a removed project back for its owner only', async () => {
    const { projectId } = (await send(shop(project))).body;
    const editor = await addPerson(collections, { roles: { [projectId]: 'editor' } });
    await callApi(server, owner.apiToken, `DELETE /projects/${projectId}/`, undefined, { 'if-match': '*' });
    expect((await send(shop(project), '', editor.apiToken)).status).to.equal(403);
    expect((await send(shop(project), '', (await addPerson(collections)).apiToken)).status).to.equal(404);
    expect(inWords(await send(shop(project)))).to.eql([`restore project ${project}`]);
    expect(await collections.webhookTokens.countDocuments({ projectId, revokedAt: { $exists: false } })).to.equal(1);
    expect((await callApi(server, owner.apiToken, `GET /projects/${projectId}/`)).status).to.equal(200);
  });

  it('gives a new project to one of two who import it at once', async () => {
    const rival = await addPerson(collections);
    const answers = await Promise.all([send(shop(project)), send(shop(project), '', rival.apiToken)]);
    expect(answers.map(({ status }) => status).sort()).to.eql([200, 404]);
    const members = await collections.memberships
      .find({ projectId: answers.find(({ status }) => status === 200)!.body.projectId })
      .toArray();
    expect(members).to.have.length(1);
  });

  it('refuses ids that another project has', async () => {
    await send(shop(project));
    const { _id } = (await collections.tests.findOne({
      name: 'A',
      projectId: (await send(shop(project))).body.projectId,
    }))!;
    const { status, body } = await send(
      `project: Other ${project}\ntests:\n  - id: ${_id}\n    name: A\n    command: [a]\n    cwd: /srv\n`,
    );
    expect([status, body.fields[0]!.field]).to.eql([400, 'line 4']);
    expect(await collections.projects.countDocuments({ name: `Other ${project}` })).to.equal(0);
  });

  it('imports a thousand tests within seconds, and again without a change', async function () {
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
