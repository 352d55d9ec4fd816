import { expect } from 'chai';
import type { Server } from '@hapi/hapi';
import type { Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import { aTestRun } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { apiServer, PUBLIC_URL } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { getPage } from '#test/support/servers/page-client.js';
import { addPerson } from '#test/support/people.js';
import { BROWSER, pageServer } from '#test/support/page-server.js';

describe('GET /', () => {
  let collections: Collections;
  let server: Server;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    server = await apiServer(collections);
  });

  async function addProject(name = `Shop ${randomId()}`): Promise<string> {
    const _id = randomId();
    await collections.projects.insertOne({ _id, name, slug: _id, revision: 1, createdAt: new Date() });
    return _id;
  }

  it('explains to a person without a project how to begin, with a curl command', async () => {
    const { status, html } = await getPage(server, await addPerson(collections), '/');
    expect(status).to.equal(200);
    expect(html)
      .to.include('Three steps')
      .and.to.include('href="/projects/new"')
      .and.to.include('href="/projects/import"');
    expect(html).to.include(`curl -X POST ${PUBLIC_URL}/webhooks/&lt;WEBHOOK_TOKEN>/tests/run/&lt;TEST_ID>`);
    expect(html).not.to.include('role="search"');
  });

  it('guides to the first run, and hides the guide afterwards', async () => {
    const projectId = await addProject();
    const owner = await addPerson(collections, { roles: { [projectId]: 'owner' } });
    const viewer = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
    expect((await getPage(server, owner, '/')).html).to.include(`href="/projects/${projectId}/tests/new"`);
    expect((await getPage(server, viewer, '/')).html).not.to.include(`/tests/new"`);
    const test = aTest({ projectId });
    await collections.tests.insertOne(test);
    const { html } = await getPage(server, owner, '/');
    expect(html).to.include(`/tests/run/${test._id}`).and.to.include(`/tests/${test._id}/run-from-outside`);
    expect((await getPage(server, viewer, '/')).html).not.to.include('run-from-outside');
    await collections.runs.insertOne(aTestRun({ projectId, targetId: test._id }));
    const later = (await getPage(server, owner, '/')).html;
    expect(later).to.include('1 test, 0 suites').and.to.include('1 run</a>').and.to.include('None failing');
    expect(later).not.to.include('Three steps');
  });

  it('lists the projects of a member, escaped, and all of them for an admin', async () => {
    const mark = randomId();
    const [own, other] = [await addProject(`<script>own ${mark}`), await addProject(`Other ${mark}`)];
    const member = await addPerson(collections, { roles: { [own]: 'viewer' } });
    const { html } = await getPage(server, member, '/');
    expect(html).to.include(`/projects/${own}/tests"`).and.to.include('&lt;script>own').and.to.include('>viewer<');
    expect(html).not.to.match(/<script>own|As an admin|href="\/admin/);
    expect(html).not.to.include(other);
    const admin = await addPerson(collections, { isAdmin: true });
    const all = (await getPage(server, admin, `/?search=${mark.toUpperCase()}`)).html;
    expect(all).to.include(own).and.to.include(other).and.to.include('As an admin').and.to.include('2 projects');
    expect((await getPage(server, admin, `/?search=${mark}x`)).html).to.include('No matching projects');
  });

  it('returns a 503 page with Retry-After while the server shuts down', async () => {
    const answer = await (await pageServer({}, 'refusing')).server.inject({ url: '/', headers: BROWSER });
    expect(answer.statusCode).to.equal(503);
    expect(answer.headers['retry-after']).to.equal('1');
    expect(answer.payload).to.include('Temporarily unavailable');
  });

  it('redirects from a project to its tests, and strangers to a 404', async () => {
    const projectId = await addProject();
    const member = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
    const { status, location } = await getPage(server, member, `/projects/${projectId}`);
    expect([status, location]).to.eql([303, `/projects/${projectId}/tests`]);
    expect((await getPage(server, await addPerson(collections), `/projects/${projectId}`)).status).to.equal(404);
  });
});
