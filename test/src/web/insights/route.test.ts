import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createEndedRunCounts } from '#src/db/stats/count-ended.js';
import { randomId } from '#src/domain/ids.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { countBatch } from '#src/services/stats/count-batch.js';
import { aTestRun } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { apiServer } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

const DAY_MS = 24 * 3_600_000;

describe('insights page', () => {
  let collections: Collections;
  let server: Server;
  let viewer: TestPerson;
  let stranger: TestPerson;
  const [projectId, emptyId] = [randomId(), randomId()];
  const casesId = randomId();
  const test = aTest({ projectId, name: '<script>alert(1)</script>' });

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    server = await apiServer(collections);
    for (const [_id, name] of [[projectId, 'Shop'] as const, [emptyId, 'New'] as const, [casesId, 'Cases'] as const])
      await collections.projects.insertOne({ _id, name, slug: `insights-${_id}`, revision: 1, createdAt: new Date() });
    viewer = await addPerson(collections, {
      roles: { [projectId]: 'viewer', [emptyId]: 'viewer', [casesId]: 'viewer' },
    });
    stranger = await addPerson(collections);
    await collections.tests.insertOne(test);
    await collections.runs.insertMany([ran(1, 'passed'), ran(0.5, 'failed'), ran(0.25, 'passed'), ran(60, 'error')]);
    const cases = { passed: 1200, failed: 3, error: 1, skipped: 2 };
    const attempt = { number: 1, delivery: 1, worker: 'w', startedAt: new Date() };
    const attempts = [{ ...attempt, verdict: { status: 'failed' as const, cases } }];
    await collections.runs.insertOne({ ...ran(1, 'failed'), projectId: casesId, attempts });
    await countBatch(createEndedRunCounts(collections), new Date(0), new Date(), 1000);
  });

  function ran(daysAgo: number, status: TestRun['status']): TestRun {
    const endedAt = new Date(Date.now() - daysAgo * DAY_MS);
    const startedAt = new Date(endedAt.getTime() - 2500);
    return aTestRun({ projectId, targetId: test._id, status, startedAt, endedAt, modified: endedAt });
  }

  async function get(id: string, query = '', who = viewer) {
    const url = `/projects/${id}/insights${query}`;
    const { statusCode, payload } = await server.inject({
      url,
      headers: { ...who.sessionHeaders, accept: 'text/html' },
    });
    return { status: statusCode, html: payload };
  }

  const dayRows = (html: string) => html.match(/<tr data-day=/g)?.length;

  it('shows the statistics of every day, and the top tests of each ranking', async () => {
    const { status, html } = await get(projectId);
    expect(status).to.equal(200);
    expect(dayRows(html)).to.equal(30);
    expect(html).to.include('data-duration="2500"').and.to.include('data-tests=');
    expect(html.match(new RegExp(`href="/tests/${test._id}"`, 'g'))).to.have.length(2);
    expect(html).to.include('2 changes').and.to.include('2.5 s');
  });

  it('escapes names', async () => {
    const { html } = await get(projectId);
    expect(html).to.include('&lt;script>alert(1)').and.not.to.include('<script>alert');
    expect(html).not.to.match(/ style="| on\w+="/);
  });

  it('keeps the range in the URL', async () => {
    const { html } = await get(projectId, '?days=90');
    expect(dayRows(html)).to.equal(90);
    expect(html).to.match(/days=90" aria-current="page"/);
    expect(html).to.match(/<dt>Test runs<\/dt><dd>4, 50 % passed</);
    expect((await get(projectId, '?days=8')).status).to.equal(400);
  });

  it('explains an empty page', async () => {
    const { status, html } = await get(emptyId);
    expect(status).to.equal(200);
    expect(html).to.include('No completed runs in the last 30 days').and.to.include(`/projects/${emptyId}/tests`);
    expect(html).to.include('Go to the tests<').and.not.to.include('run one');
    expect(dayRows(html)).to.equal(undefined);
  });

  it('counts the cases of results', async () => {
    const { html } = await get(casesId);
    expect(html).to.include('<dt>Cases</dt><dd>1,206: 1,200 passed, 3 failed, 1 error, 2 skipped</dd>');
    expect(html).to.include('data-cases-passed="1200" data-cases-failed="4"').and.to.include('data-chart="cases"');
    expect(html).to.match(/<td data-label="Cases run">1,206<.*<td data-label="Cases failed">4</);
    expect((await get(projectId)).html).to.not.match(/Cases run|data-chart="cases"|<dt>Cases/);
  });

  it('is restricted to members', async () => {
    expect((await get(projectId, '', stranger)).status).to.equal(404);
  });
});
