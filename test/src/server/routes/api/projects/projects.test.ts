import { expect } from 'chai';
import type { Server, ServerInjectOptions } from '@hapi/hapi';
import type { Collections } from '#src/db/schema/collections.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { randomId } from '#src/domain/ids.js';
import { apiServer, callApi } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addApiToken, addPerson, type TestPerson } from '#test/support/people.js';

interface Shown {
  id: string;
  name: string;
  slug: string;
  role: string;
  revision: number;
  retentionDays: number | null;
  code: string;
  count: number;
  results: Shown[];
}

describe('projects in the API', () => {
  let collections: Collections;
  let server: Server;
  let owner: TestPerson;
  const as =
    (token: string | undefined) =>
    (what: string, payload?: ServerInjectOptions['payload'], headers?: Record<string, string>) =>
      callApi<Shown>(server, token, what, payload, headers);
  const call = (what: string, payload?: ServerInjectOptions['payload'], headers?: Record<string, string>) =>
    as(owner.apiToken)(what, payload, headers);

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    server = await apiServer(collections);
  });

  beforeEach(async () => {
    owner = await addPerson(collections);
  });

  it('have their creator as owner, and a webhook token', async () => {
    const made = await call('POST /projects', { name: 'Café & Co', retentionDays: 30 });
    expect([made.status, made.etag]).to.eql([201, '"1"']);
    expect(made.body).to.include({ name: 'Café & Co', role: 'owner', retentionDays: 30, revision: 1 });
    expect(await collections.webhookTokens.countDocuments({ projectId: made.body.id })).to.equal(1);
    expect((await call(`GET /projects/${made.body.id}/`)).body).to.eql(made.body);
    const twin = await call('POST /projects/', { name: 'Café & Co' });
    expect(twin.body.slug).not.to.equal(made.body.slug);
  });

  it('are created once for ten concurrent requests with one key', async () => {
    const make = () => call('POST /projects/', { name: 'Once' }, { 'idempotency-key': 'p-1' });
    const answers = await Promise.all(Array.from({ length: 10 }, make));
    expect(answers.map(({ status }) => status).sort()).to.eql([...Array.from({ length: 9 }, () => 200), 201]);
    const { id } = answers[0]!.body;
    expect(await collections.projects.countDocuments({ createdBy: owner.userId })).to.equal(1);
    expect(await collections.webhookTokens.countDocuments({ projectId: id })).to.equal(1);
    expect(await collections.memberships.countDocuments({ projectId: id })).to.equal(1);
    const other = await call('POST /projects/', { name: 'Twice' }, { 'idempotency-key': 'p-1' });
    expect([other.status, other.body.code]).to.eql([422, 'idempotency_key_reused']);
  });

  it('are completed by repeating an interrupted request', async () => {
    const key = { 'idempotency-key': 'p-2' };
    const { id } = (await call('POST /projects/', { name: 'Cut' }, key)).body;
    await collections.memberships.deleteMany({ projectId: id });
    await collections.webhookTokens.deleteMany({ projectId: id });
    expect((await call('POST /projects/', { name: 'Cut' }, key)).body.role).to.equal('owner');
    expect(await collections.webhookTokens.countDocuments({ projectId: id })).to.equal(1);
  });

  it('are not returned to a creator who has left', async () => {
    const key = { 'idempotency-key': 'p-3' };
    const { id } = (await call('POST /projects/', { name: 'Left' }, key)).body;
    const next = await addPerson(collections, { roles: { [id]: 'owner' } });
    await createMembershipStore(collections).remove(id, owner.userId);
    expect((await call('POST /projects/', { name: 'Left' }, key)).status).to.equal(404);
    expect((await as(next.apiToken)(`GET /projects/${id}/`)).body.role).to.equal('owner');
  });

  it('are listed for those who have access, with their role', async () => {
    const { id } = (await call('POST /projects/', { name: 'Listed' })).body;
    const viewer = await addPerson(collections, { roles: { [id]: 'viewer' } });
    const stranger = await addPerson(collections);
    const admin = await addPerson(collections, { isAdmin: true });
    const projectToken = await addApiToken(collections, { projectId: id });
    const listed = async (token: string) => (await as(token)('GET /projects/?search=listed')).body.results;
    expect((await listed(viewer.apiToken)).map(({ role }) => role)).to.eql(['viewer']);
    expect((await listed(projectToken)).map(({ role }) => role)).to.eql(['editor']);
    expect((await listed(admin.apiToken)).find((one) => one.id === id)!.role).to.equal('admin');
    expect(await listed(stranger.apiToken)).to.eql([]);
    expect((await as(undefined)('GET /projects/')).status).to.equal(401);
    expect((await as(projectToken)('POST /projects/', { name: 'Mine' })).status).to.equal(403);
  });

  it('have an editable name and retention, and a fixed slug', async () => {
    const { id, slug } = (await call('POST /projects/', { name: 'Before' })).body;
    const changed = await call(`PATCH /projects/${id}/`, { name: 'After', retentionDays: 7 }, { 'if-match': '"1"' });
    expect(changed.body).to.include({ name: 'After', retentionDays: 7, slug, revision: 2, role: 'owner' });
    expect(await collections.projects.findOne({ _id: id })).to.have.property('retentionChangedAt');
    const lost = await call(`PATCH /projects/${id}/`, { name: 'Lost' }, { 'if-match': '"1"' });
    expect(lost.status).to.equal(412);
    const none = await call(`PATCH /projects/${id}/`, { retentionDays: null }, { 'if-match': '"2"' });
    expect([none.body.retentionDays, none.etag]).to.eql([null, '"3"']);
    expect((await call(`PATCH /projects/${id}/`, {}, { 'if-match': '"3"' })).status).to.equal(400);
  });

  it('are inaccessible for everyone once deleted, with their tests and webhooks', async () => {
    const { id } = (await call('POST /projects/', { name: 'Gone' })).body;
    const admin = await addPerson(collections, { isAdmin: true });
    const projectToken = await addApiToken(collections, { projectId: id });
    const test = await call(`POST /projects/${id}/tests/`, { name: 'A', command: ['x'], cwd: '/' });
    expect((await call(`DELETE /projects/${id}/`)).status).to.equal(428);
    expect((await call(`DELETE /projects/${id}/`, undefined, { 'if-match': '"1"' })).status).to.equal(204);
    // The request can be repeated after a lost response.
    expect((await call(`DELETE /projects/${id}/`, undefined, { 'if-match': '"1"' })).status).to.equal(204);
    expect(await collections.webhookTokens.countDocuments({ projectId: id, revokedAt: { $exists: false } })).to.equal(
      0,
    );
    for (const token of [owner.apiToken, admin.apiToken, projectToken])
      for (const path of [
        `/projects/${id}/`,
        `/projects/${id}/tests/`,
        `/tests/${test.body.id}/`,
        `/projects/${id}/export/`,
      ])
        expect((await as(token)(`GET ${path}`)).status, path).to.equal(404);
    expect((await call('GET /projects/')).body.count).to.equal(0);
    const stranger = await addPerson(collections);
    const hidden = await as(stranger.apiToken)(`DELETE /projects/${id}/`, undefined, { 'if-match': '*' });
    expect(hidden.status).to.equal(404);
  });

  it('return the same error for existing and missing projects to people without access', async () => {
    const { id } = (await call('POST /projects/', { name: 'Hidden' })).body;
    const stranger = as((await addPerson(collections)).apiToken);
    const texts = await Promise.all(
      [id, randomId(), 'x'].map(async (one) => {
        const { status, body } = await stranger(`GET /projects/${one}/`);
        return JSON.stringify([status, { ...body, requestId: '' }]);
      }),
    );
    expect(new Set(texts).size).to.equal(1);
    const viewer = await addPerson(collections, { roles: { [id]: 'viewer' } });
    const refused = await as(viewer.apiToken)(`PATCH /projects/${id}/`, { name: 'X' }, { 'if-match': '*' });
    expect(refused.status).to.equal(403);
  });

  for (const [what, body] of Object.entries({
    'no name': {},
    'an operator': { name: { $gt: '' } },
    'a long name': { name: 'x'.repeat(201) },
    'no days': { name: 'A', retentionDays: 0 },
    'null days at first': { name: 'A', retentionDays: null },
    'an id': { name: 'A', id: randomId() },
  }))
    it(`reject ${what}`, async () => {
      expect((await call('POST /projects/', body)).status).to.equal(400);
    });
});
