import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { recordPools } from '#src/db/pools/pool-store.js';
import { randomId } from '#src/domain/ids.js';
import { createPoolServices } from '#src/services/pools/pool-services.js';
import { apiServer, callApi } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

const YAML = { 'content-type': 'application/yaml' };
const ANY = { 'if-match': '*' };

describe('API: pools', () => {
  let collections: Collections;
  let server: Server;
  let admin: TestPerson;
  let owner: TestPerson;
  let projectId: string;
  let pool: string;
  const call = (person: TestPerson, what: string, body?: object | string, headers?: Record<string, string>) =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of it
    callApi<any>(server, person.apiToken, what, body, headers);
  const test = (pool: string) => ({ name: `Test ${randomId()}`, command: ['true'], cwd: '/srv', pool });
  const file = (pool: string) =>
    `id: ${projectId}\nproject: Shop ${projectId}\ntests:\n  - { name: A, command: [a], cwd: /srv, pool: ${pool} }\n`;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    await recordPools(collections);
    server = await apiServer(collections, (services) => ({ pools: createPoolServices(services) }));
    admin = await addPerson(collections, { isAdmin: true });
    owner = await addPerson(collections);
  });

  beforeEach(async () => {
    projectId = (await call(owner, 'POST /projects/', { name: `Shop ${randomId()}` })).body.id;
    pool = `gpu-${randomId().slice(0, 8)}`;
  });

  it('are created, listed, shown, changed and deleted by admins only', async () => {
    const made = await call(admin, 'POST /pools/', { name: pool, projects: [projectId] });
    expect([made.status, made.text]).to.include(201);
    expect(made.body).to.include({ name: pool, description: '', revision: 1 });
    expect(made.body.projects).to.eql([projectId]);
    expect((await call(admin, 'POST /pools/', { name: pool })).body.code).to.equal('name_taken');
    const { body } = await call(admin, 'GET /pools/');
    expect(body.results.map(({ name }: { name: string }) => name)).to.include(pool);
    const changed = await call(admin, `PATCH /pools/${pool}/`, { projects: 'all' }, { 'if-match': '"1"' });
    expect(changed.body).to.include({ projects: 'all', revision: 2 });
    expect((await call(admin, `PATCH /pools/${pool}/`, { projects: [] }, { 'if-match': '"1"' })).status).to.equal(412);
    for (const [what, content, headers] of [
      ['GET /pools/'],
      [`GET /pools/${pool}/`],
      ['POST /pools/', { name: 'mine' }],
      [`PATCH /pools/${pool}/`, { projects: 'all' }, ANY],
      [`DELETE /pools/${pool}/`, undefined, ANY],
    ] as const)
      expect((await call(owner, what, content, headers)).status, what).to.equal(403);
    expect((await call(admin, `DELETE /pools/${pool}/`, undefined, ANY)).status).to.equal(204);
    expect((await call(admin, `GET /pools/${pool}/`)).status).to.equal(404);
    const notes = await collections.audit.find({ 'target.id': pool }).sort({ at: 1 }).toArray();
    expect(notes.map(({ action }) => action)).to.eql(['pool.create', 'pool.change', 'pool.remove']);
  });

  it('reject an unknown project, an invalid name, and the deletion of a pool in use or of the default one', async () => {
    const unknown = await call(admin, 'POST /pools/', { name: pool, projects: [randomId()] });
    expect([unknown.status, unknown.body.fields[0].field]).to.eql([400, 'projects.0']);
    expect((await call(admin, 'POST /pools/', { name: 'GPU' })).status).to.equal(400);
    await call(admin, 'POST /pools/', { name: pool, projects: [projectId] });
    await call(owner, `POST /projects/${projectId}/tests/`, test(pool));
    const used = await call(admin, `DELETE /pools/${pool}/`, undefined, ANY);
    expect([used.status, used.body.code]).to.eql([409, 'in_use']);
    expect(used.body.message).to.include('Shop');
    expect((await call(admin, 'DELETE /pools/default/', undefined, ANY)).body.code).to.equal('in_use');
  });

  it('are restricted to the tests of their projects: the error lists the available ones', async () => {
    await call(admin, 'POST /pools/', { name: pool, projects: [projectId] });
    const other = (await call(owner, 'POST /projects/', { name: `Other ${randomId()}` })).body.id;
    const path = (of: string) => `POST /projects/${of}/tests/`;
    expect((await call(owner, path(projectId), test(pool))).status).to.equal(201);
    for (const [of, name] of [
      [other, pool],
      [projectId, 'nobody-created-it'],
    ] as const) {
      const { status, body } = await call(owner, path(of), test(name));
      expect([status, body.fields[0].field]).to.eql([400, 'pool']);
      expect(body.message).to.include('default').and.to.include(name);
      expect(body.message.includes(pool)).to.equal(name === pool || of === projectId);
    }
    const saved = (await call(owner, path(other), test('default'))).body;
    const edit = await call(owner, `PATCH /tests/${saved.id}/`, { pool }, ANY);
    expect([edit.status, edit.body.fields[0].field]).to.eql([400, 'pool']);
    const { body } = await call(owner, `GET /projects/${projectId}/pools/`);
    const names = body.results.map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['default', pool]);
  });

  it('are checked by an import, by a dry run, and by importing an export after the project lost a pool', async () => {
    const refused = await call(owner, 'POST /import/?dryRun=true', file(pool), YAML);
    expect([refused.status, refused.body.fields[0].field]).to.eql([400, 'line 4']);
    expect(refused.body.message).to.include(`"${pool}"`).and.to.include('default');
    await call(admin, 'POST /pools/', { name: pool, projects: [projectId] });
    expect((await call(owner, 'POST /import/', file(pool), YAML)).status).to.equal(200);
    const { text } = await call(owner, `GET /projects/${projectId}/export/`);
    const again = await call(owner, 'POST /import/', text, YAML);
    expect([again.status, again.body.changes]).to.eql([200, []]);
    await call(admin, `PATCH /pools/${pool}/`, { projects: [] }, ANY);
    const lost = await call(owner, 'POST /import/', text, YAML);
    expect([lost.status, lost.body.code]).to.eql([400, 'invalid_input']);
    expect(await collections.tests.countDocuments({ projectId, archivedAt: { $exists: false } })).to.equal(1);
  });

  it('include a default one, open to all until an admin closes it', async () => {
    const create = () => call(owner, `POST /projects/${projectId}/tests/`, test('default'));
    expect((await create()).status).to.equal(201);
    await collections.pools.deleteOne({ _id: 'default' });
    await call(admin, 'POST /pools/', { name: 'default', projects: [] });
    try {
      const { status, body } = await create();
      expect(status).to.equal(400);
      expect(body.message).to.include('ask an admin');
    } finally {
      await call(admin, 'PATCH /pools/default/', { projects: 'all' }, ANY);
    }
    expect((await create()).status).to.equal(201);
  });
});
