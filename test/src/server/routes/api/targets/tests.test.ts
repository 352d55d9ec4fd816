import { expect } from 'chai';
import type { Server, ServerInjectOptions } from '@hapi/hapi';
import type { Collections } from '#src/db/schema/collections.js';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { randomId } from '#src/domain/ids.js';
import { apiServer, callApi, PUBLIC_URL } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

interface Shown {
  id: string;
  name: string;
  revision: number;
  code: string;
  message: string;
  fields: { field: string; message: string }[];
  results: { name: string }[];
  count: number;
  next: string | null;
  [field: string]: unknown;
}

const A_TEST = { name: 'Checkout', command: ['node', 'x.mjs'], cwd: '/srv/checks/' };

describe('API: tests and suites', () => {
  let collections: Collections;
  let server: Server;
  let owner: TestPerson;
  let projectId: string;
  const call = (what: string, payload?: ServerInjectOptions['payload'], headers?: Record<string, string>) =>
    callApi<Shown>(server, owner.apiToken, what, payload, headers);
  const make = async (kind: 'tests' | 'suites', body: object) => {
    const made = await call(`POST /projects/${projectId}/${kind}/`, body);
    expect(made.status, made.text).to.equal(201);
    return made;
  };

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    await createPoolStore(collections).insert('gpu', { description: '', projects: 'all' });
    server = await apiServer(collections);
  });

  beforeEach(async () => {
    owner = await addPerson(collections);
    projectId = (await call('POST /projects/', { name: 'Shop' })).body.id;
  });

  it('creates a test with defaults, and returns it', async () => {
    const made = await make('tests', A_TEST);
    expect(made.body).to.deep.include({
      projectId,
      revision: 1,
      archived: false,
      runner: 'command',
      cwd: '/srv/checks',
      env: {},
      timeoutMs: 300_000,
      retries: 0,
      pool: 'default',
    });
    expect(made.etag).to.equal('"1"');
    const shown = await call(`GET /tests/${made.body.id.toUpperCase()}`);
    expect([shown.status, shown.body, shown.etag]).to.eql([200, made.body, '"1"']);
  });

  it('changes the given fields, and keeps the rest and the previous revision', async () => {
    const { body } = await make('tests', { ...A_TEST, env: { SECRET: 'canary-1' }, retries: 2 });
    const changed = await call(`PATCH /tests/${body.id}/`, { env: { SECRET: 'canary-2' } }, { 'if-match': '"1"' });
    expect([changed.status, changed.etag]).to.eql([200, '"2"']);
    expect(changed.body).to.deep.include({ retries: 2, env: { SECRET: 'canary-2' }, name: 'Checkout' });
    expect(await collections.testRevisions.findOne({ _id: `${body.id}:1` })).to.deep.nested.include({
      'definition.env': { SECRET: 'canary-1' },
    });
    const notes = await collections.audit.find({ projectId }).toArray();
    expect(notes.map(({ action }) => action)).to.include.members(['project.create', 'test.create', 'test.edit']);
    expect(notes.find(({ action }) => action === 'test.edit')!.details).to.eql({ fields: ['env'] });
    expect(JSON.stringify(notes)).not.to.include('canary');
  });

  it('loses neither of two concurrent changes', async () => {
    const { body } = await make('tests', A_TEST);
    const change = (retries: number) => call(`PATCH /tests/${body.id}/`, { retries }, { 'if-match': '"1"' });
    const answers = await Promise.all([change(1), change(2), change(3)]);
    expect(answers.map(({ status }) => status).sort()).to.eql([200, 412, 412]);
    expect(answers.find(({ status }) => status === 412)!.body.code).to.equal('changed_meanwhile');
    const every = await Promise.all(
      [{ retries: 4 }, { pool: 'gpu' }, { timeoutMs: 5 }].map((some) =>
        call(`PATCH /tests/${body.id}/`, some, { 'if-match': '*' }),
      ),
    );
    expect(every.map(({ status }) => status)).to.eql([200, 200, 200]);
    const { body: now } = await call(`GET /tests/${body.id}/`);
    expect(now).to.include({ retries: 4, pool: 'gpu', timeoutMs: 5, revision: 5 });
  });

  it('requires If-Match', async () => {
    const { body } = await make('tests', A_TEST);
    for (const answer of [
      await call(`PATCH /tests/${body.id}/`, { retries: 1 }),
      await call(`DELETE /tests/${body.id}/`),
    ])
      expect([answer.status, answer.body.code]).to.eql([428, 'if_match_required']);
    expect((await call(`DELETE /tests/${body.id}/`, undefined, { 'if-match': '"9"' })).status).to.equal(412);
  });

  it('rejects duplicate names', async () => {
    await make('tests', A_TEST);
    const other = await make('tests', { ...A_TEST, name: 'Other' });
    const taken = await call(`POST /projects/${projectId}/tests/`, A_TEST);
    expect([taken.status, taken.body.code]).to.eql([409, 'name_taken']);
    const renamed = await call(`PATCH /tests/${other.body.id}/`, { name: ' Checkout ' }, { 'if-match': '*' });
    expect([renamed.status, renamed.body.code]).to.eql([409, 'name_taken']);
    const same = await call(`PATCH /tests/${other.body.id}/`, { name: 'Other' }, { 'if-match': '*' });
    expect([same.status, same.body.revision]).to.eql([200, 1]);
  });

  it('never creates duplicate names under concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(`POST /projects/${projectId}/tests/`, A_TEST)),
    );
    expect(answers.filter(({ status }) => status === 201).length).to.be.at.most(1);
    expect(answers.every(({ status }) => [201, 409].includes(status))).to.equal(true);
    expect(await collections.tests.countDocuments({ projectId })).to.be.at.most(1);
  });

  it('never renames to duplicate names under concurrent requests', async () => {
    const made = await Promise.all(['B', 'C', 'D'].map((name) => make('tests', { ...A_TEST, name })));
    const rename = (id: string) => call(`PATCH /tests/${id}/`, { name: 'Same' }, { 'if-match': '*' });
    const answers = await Promise.all(made.map(({ body }) => rename(body.id)));
    expect(answers.every(({ status }) => [200, 409].includes(status))).to.equal(true);
    const { results } = (await call(`GET /projects/${projectId}/tests/`)).body;
    expect(new Set(results.map(({ name }) => name)).size).to.equal(3);
  });

  it('creates one test for a repeated request', async () => {
    const key = { 'idempotency-key': 'once' };
    const repeat = () => call(`POST /projects/${projectId}/tests/`, A_TEST, key);
    const answers = await Promise.all([repeat(), repeat(), repeat()]);
    expect(answers.map(({ status }) => status).sort()).to.eql([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
    const other = await call(`POST /projects/${projectId}/tests/`, { ...A_TEST, retries: 1 }, key);
    expect([other.status, other.body.code]).to.eql([422, 'idempotency_key_reused']);
  });

  it('creates suites only of live tests of the project', async () => {
    const test = await make('tests', A_TEST);
    const suite = await make('suites', { name: 'Smoke', tests: [test.body.id, test.body.id] });
    expect(suite.body).to.deep.include({ parallelism: 4, timeoutMs: null, priority: null, overlap: 'allow' });
    const foreign = randomId();
    const refused = await call(
      `PATCH /suites/${suite.body.id}/`,
      { tests: [test.body.id, foreign] },
      { 'if-match': '*' },
    );
    expect([refused.status, refused.body.fields[0]!.field]).to.eql([400, 'tests.1']);
    const limited = await call(`PATCH /suites/${suite.body.id}/`, { timeoutMs: 9, priority: 2 }, { 'if-match': '*' });
    expect(limited.body).to.include({ timeoutMs: 9, priority: 2 });
    const free = await call(
      `PATCH /suites/${suite.body.id}/`,
      { timeoutMs: null, priority: null },
      { 'if-match': '*' },
    );
    expect(free.body).to.include({ timeoutMs: null, priority: null, revision: 3 });
    expect((await collections.suites.findOne({ _id: suite.body.id }))!.definition).not.to.have.any.keys(
      'timeoutMs',
      'priority',
    );
  });

  it('does not archive a test that suites contain, and lists them', async () => {
    const test = await make('tests', A_TEST);
    const suite = await make('suites', { name: 'Smoke', tests: [test.body.id] });
    const inUse = await call(`DELETE /tests/${test.body.id}/`, undefined, { 'if-match': '"1"' });
    expect([inUse.status, inUse.body.code]).to.eql([409, 'in_use']);
    expect(inUse.body.message).to.include('"Smoke"');
    expect((await call(`DELETE /suites/${suite.body.id}/`, undefined, { 'if-match': '*' })).status).to.equal(204);
    expect((await call(`DELETE /tests/${test.body.id}/`, undefined, { 'if-match': '"1"' })).status).to.equal(204);
    expect((await call(`DELETE /tests/${test.body.id}/`, undefined, { 'if-match': '"1"' })).status).to.equal(204);
    expect((await call(`GET /tests/${test.body.id}/`)).body.archived).to.equal(true);
    const gone = await call(`PATCH /tests/${test.body.id}/`, { retries: 1 }, { 'if-match': '*' });
    expect([gone.status, gone.body.code]).to.eql([409, 'archived']);
    expect((await call(`GET /projects/${projectId}/tests/`)).body.count).to.equal(0);
    expect((await call(`GET /projects/${projectId}/tests/?archived=true`)).body.count).to.equal(1);
    await make('tests', A_TEST);
  });

  it('lists by name, in pages, with a search', async () => {
    for (const name of ['b.1', 'a', 'B.2', 'bx2', 'c']) await make('tests', { ...A_TEST, name });
    const names = ({ results }: Shown) => results.map(({ name }) => name);
    const first = await call(`GET /projects/${projectId}/tests/?limit=2`);
    expect([first.body.count, names(first.body)]).to.eql([5, ['B.2', 'a']]);
    expect(first.body.next).to.match(
      new RegExp(`^${PUBLIC_URL}/api/v2/projects/${projectId}/tests/\\?limit=2&cursor=`),
    );
    const second = await call(`GET ${first.body.next!.replace(`${PUBLIC_URL}/api/v2`, '')}`);
    expect(names(second.body)).to.eql(['b.1', 'bx2']);
    expect(names((await call(`GET /projects/${projectId}/tests/?search=B.`)).body)).to.eql(['B.2', 'b.1']);
    expect((await call(`GET /projects/${projectId}/tests/?cursor=abc`)).status).to.equal(400);
    expect((await call(`GET /projects/${projectId}/tests/?sort=x`)).body.fields).to.eql([
      { field: 'sort', message: 'sort is not allowed' },
    ]);
  });

  const json = (text: string) => ({ text });
  const malformed: Record<string, object | { text: string }> = {
    'an unknown field': { ...A_TEST, comand: [] },
    'an operator for a name': { ...A_TEST, name: { $ne: '' } },
    'an operator in env': { ...A_TEST, env: { $where: '1' } },
    'a dotted variable': { ...A_TEST, env: { 'a.b': '1' } },
    'a number as text': { ...A_TEST, retries: '1' },
    'a huge number': json('{"name":"A","command":["x"],"cwd":"/","timeoutMs":1e400}'),
    'a number beyond integers': { ...A_TEST, timeoutMs: 2 ** 60 },
    'half a retry': { ...A_TEST, retries: 0.5 },
    'a NUL in a name': { ...A_TEST, name: 'a\0b' },
    'a NUL in the command': { ...A_TEST, command: ['x', 'a\0b'] },
    'a NUL in env': { ...A_TEST, env: { A: '\0' } },
    'half a surrogate pair': json('{"name":"\\ud800","command":["x"],"cwd":"/"}'),
    'half a surrogate pair in env': json('{"name":"A","command":["x"],"cwd":"/","env":{"A":"\\udc00"}}'),
    'a relative folder': { ...A_TEST, cwd: 'checks' },
    'no folder': { name: 'A', command: ['x'] },
    'no command': { ...A_TEST, command: [] },
    'a list': json('[]'),
    nothing: json('null'),
    'no JSON': json('{'),
    ['__proto__']: json('{"name":"A","command":["x"],"cwd":"/","__proto__":{"runner":"command"}}'),
    '__proto__ in env': json('{"name":"A","command":["x"],"cwd":"/","env":{"__proto__":"x"}}'),
    'deep nesting': json(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    'another runner': { ...A_TEST, runner: 'docker' },
  };
  for (const [what, body] of Object.entries(malformed))
    it(`rejects ${what}`, async () => {
      const payload = 'text' in body ? (body.text as string) : body;
      const answer = await call(`POST /projects/${projectId}/tests/`, payload, { 'content-type': 'application/json' });
      expect(answer.status, answer.text).to.equal(400);
      expect(answer.body.code).to.equal('invalid_input');
      expect(await collections.tests.countDocuments({ projectId })).to.equal(0);
    });

  it('reports the unknown field', async () => {
    const { body } = await call(`POST /projects/${projectId}/tests/`, { ...A_TEST, comand: 1, retries: 11 });
    expect(body.fields).to.eql([
      { field: 'retries', message: 'retries must be a whole number from 0 to 10' },
      { field: 'comand', message: 'comand is not allowed' },
    ]);
  });
});
