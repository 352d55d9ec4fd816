import { expect } from 'chai';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { readEvents } from '#test/support/servers/event-stream.js';
import { liveServer, type LiveServer } from '#test/support/servers/live-server.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

const HOSTILE = '<script>alert("x")</script>';

describe('page of a suite run', () => {
  let server: LiveServer;
  let suite: SuiteRun;
  let tests: TestRun[];
  let editor: TestPerson;
  let viewer: TestPerson;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    server = await liveServer();
  });
  after(() => server.close());

  beforeEach(async () => {
    const startedAt = new Date(Date.now() - 60_000);
    suite = aSuiteRun({ status: 'running', startedAt, modified: startedAt, targetName: `Smoke ${HOSTILE}` });
    const { projectId, _id: suiteRunId } = suite;
    tests = Array.from({ length: 250 }, (_, position) =>
      aTestRun({ projectId, suiteRunId, position, targetName: `Case ${position}`, triggeredBy: { type: 'suite' } }),
    );
    for (const test of tests) test.modified = startedAt;
    Object.assign(tests[0]!, { status: 'passed', attempt: 2, startedAt, endedAt: new Date(+startedAt + 2000) });
    Object.assign(tests[1]!, {
      status: 'error',
      attempt: 1,
      startedAt,
      endedAt: new Date(),
      errorCode: 'TEST_TIMEOUT',
      errorMessage: `over 60 s ${HOSTILE}\nsecond line`,
    });
    Object.assign(tests[120]!, { status: 'failed', targetName: `Search ${HOSTILE}`, startedAt, endedAt: new Date() });
    const { collections } = server;
    await collections.projects.insertOne({
      _id: projectId,
      name: 'Demo shop',
      slug: projectId,
      revision: 1,
      createdAt: new Date(),
    });
    await collections.runs.insertMany([suite, ...tests]);
    editor = await addPerson(collections, { roles: { [projectId]: 'editor' } });
    viewer = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
  });

  async function get(more = '', person = editor, headers: Record<string, string> = {}) {
    const answer = await fetch(`${server.url}/runs/${suite._id}${more}`, {
      headers: { accept: 'text/html', cookie: person.sessionHeaders.cookie, ...headers },
    });
    return { status: answer.status, html: await answer.text() };
  }
  const namesIn = (html: string) =>
    [...html.matchAll(/<th scope="row"><a href="\/runs\/[^"]+">([^<]+)</g)].map(([, name]) => name);
  const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

  it('shows the progress, and the tests in order in pages of 100', async () => {
    const { status, html } = await get();
    expect(status).to.equal(200);
    expect(textOf(html)).to.include('3 of 250 tests over (1 %)');
    expect(html).to.include('aria-label="Tests by status: 1 passed, 1 failed, 1 error, 247 queued"');
    expect(html).to.include(`href="/runs/${suite._id}?status=failed#tests"`);
    expect(namesIn(html)).to.deep.equal(Array.from({ length: 100 }, (_, index) => `Case ${index}`));
    expect(textOf(html)).to.match(/1 Case 0 passed 2 2\.0 s – 2 Case 1 error 1/);
    const next = /href="([^"]+)" rel="next"/.exec(html)![1]!.replaceAll('&amp;', '&').split(suite._id)[1]!;
    expect(namesIn((await get(next)).html)[0]).to.equal('Case 100');
  });

  it('shows why a test did not pass, and escapes all text', async () => {
    const { html } = await get();
    expect(textOf(html)).to.include('TEST_TIMEOUT over 60 s').and.not.to.include('second line');
    expect(html).to.include('Smoke &lt;script>alert(').and.not.to.include(HOSTILE);
  });

  it('is filtered by status and by part of the name', async () => {
    expect(namesIn((await get('?status=error')).html)).to.deep.equal(['Case 1']);
    expect(namesIn((await get('?status=error&status=failed')).html)).to.have.length(2);
    expect(namesIn((await get('?search=SEARCH+%3C')).html)).to.have.length(1);
    expect(namesIn((await get('?search=case+24&status=queued')).html)[0]).to.equal('Case 24');
    expect((await get('?status=stopped')).html).to.include('No matching tests in this run');
    expect((await get('?search=')).status).to.equal(200);
    expect((await get('?status=green')).status).to.equal(400);
  });

  it('offers stop and rerun to editors, and shows what it is waiting for', async () => {
    const reason = 'the earlier run of the suite is not over';
    await server.collections.runs.updateOne({ _id: suite._id }, { $set: { status: 'queued', reason } });
    const { html } = await get();
    expect(html)
      .to.include(`href="/runs/${suite._id}/stop"`)
      .and.to.include(`action="/runs/${suite._id}/rerun-failed"`);
    expect(textOf(html)).to.include(`Waiting: ${reason}.`);
    const seen = (await get('', viewer)).html;
    expect(seen).to.include('Case 1').and.not.to.include('/stop"').and.not.to.include('/rerun');
  });

  it('shows why it was skipped', async () => {
    const $set = { status: 'skipped' as const, reason: 'Skipped because an earlier run was not over' };
    await server.collections.runs.updateOne({ _id: suite._id }, { $set });
    expect(textOf((await get()).html)).to.include('Skipped because an earlier run was not over.');
  });

  it('returns 404 for strangers', async () => {
    const stranger = await addPerson(server.collections);
    for (const more of ['', '/timeline', '/suite-events']) expect((await get(more, stranger)).status).to.equal(404);
  });

  it('draws the timeline, as a page and as a fragment', async () => {
    const part = (await get('/timeline', editor, { 'hx-request': 'true' })).html;
    expect(part)
      .to.match(/<div id="timeline-chart" hx-get="[^"]+\/timeline"/)
      .and.not.to.include('<main');
    expect(part.match(/<rect [^>]+><title>/g)).to.have.length(3);
    expect(textOf(part)).to.include('3 tests in 1 min').and.to.include('up to 3 concurrently');
    expect((await get('/timeline')).html)
      .to.include('<h1>Timeline of Smoke &lt;script>')
      .and.to.include('</svg>');
    await server.collections.runs.updateOne({ _id: suite._id }, { $set: { status: 'stopped', endedAt: new Date() } });
    expect((await get('/timeline', editor, { 'hx-request': 'true' })).html).not.to.include('hx-get');
  });

  describe('live', () => {
    async function listen(rows: string) {
      const stream = await readEvents(`${server.url}/runs/${suite._id}/suite-events${rows}`, {
        cookie: editor.sessionHeaders.cookie,
      });
      const last = () => stream.events.at(-1)?.data ?? '';
      return { stream, last };
    }
    const rowsIn = (html: string) => [...html.matchAll(/<tr id="run-([^"]+)" hx-swap-oob/g)].map(([, id]) => id);
    const end = (index: number, status: 'passed' | 'failed') =>
      server.collections.runs.updateOne(
        { _id: tests[index]!._id },
        { $set: { status, modified: new Date(), endedAt: new Date() } },
      );

    it('begins with all rows of the page, then sends changed rows within 1.5 s', async () => {
      const { stream, last } = await listen('?rows=0-2,120');
      const { data } = await eventually(() => stream.events[0]);
      expect(rowsIn(data)).to.have.members([0, 1, 2, 120].map((index) => tests[index]!._id));
      expect(data).to.include('id="run-title"').and.to.include('id="suite-progress"');
      await Promise.all([end(2, 'passed'), end(200, 'failed')]);
      const rows = () => stream.events.slice(1).flatMap(({ data }) => rowsIn(data));
      // A message may count a change whose row is in the next message.
      await eventually(() => (last().includes('2 passed, 2 failed') && rows().length > 0) || undefined, 1500);
      expect(rows()).to.deep.equal([tests[2]!._id]);
      expect(last()).not.to.include('id="run-title"');
      stream.close();
    });

    it('shows the first tests on a page that was opened before there were any, and listens to these', async () => {
      const { stream, last } = await listen('?rows=first');
      await eventually(() => stream.events[0]);
      expect(last())
        .to.include('id="tests"')
        .and.to.match(/hx-sse:connect="[^"]+rows=0-99"[^>]* hx-swap-oob="outerHTML"/);
      stream.close();
    });

    it('sends nothing to a page whose filter excludes all tests', async () => {
      const { html } = await get('?search=nothing');
      const address = /hx-sse:connect="[^"]+\/suite-events([^"]*)"/.exec(html)![1]!;
      const { stream, last } = await listen(address);
      await eventually(() => stream.events[0]);
      expect(last()).to.include('id="suite-progress"').and.not.to.include('id="tests"').and.not.to.include('<tr');
      stream.close();
    });

    it('accepts only positions as rows', async () => {
      const answer = await get('/suite-events?rows=all');
      expect(answer.status).to.equal(400);
    });
  });
});
