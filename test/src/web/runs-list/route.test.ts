import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import type { Run } from '#src/domain/runs/run.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { readEvents } from '#test/support/servers/event-stream.js';
import { liveServer, type LiveServer } from '#test/support/servers/live-server.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

const NOON = Date.parse('2026-01-02T12:00:00Z');
const at = (minutes: number) => new Date(NOON + minutes * 60_000);

describe('run list of a project', () => {
  let server: LiveServer;
  let projectId: string;
  let viewer: TestPerson;
  let runs: Run[];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    server = await liveServer();
  });
  after(() => server.close());

  beforeEach(async () => {
    const { collections } = server;
    projectId = randomId();
    const suite = aSuiteRun({ projectId, targetName: 'Smoke', queuedAt: at(4), status: 'running', startedAt: at(4) });
    runs = [
      suite,
      aTestRun({ projectId, targetName: 'first <script>', queuedAt: at(1), status: 'passed' }),
      aTestRun({ projectId, targetName: 'second', queuedAt: at(2), status: 'failed', triggeredBy: { type: 'cli' } }),
      aTestRun({ projectId, targetName: 'third', queuedAt: at(3) }),
      aTestRun({ projectId, targetName: 'of suite', queuedAt: at(4), suiteRunId: suite._id, position: 0 }),
      aTestRun({ targetName: 'foreign', queuedAt: at(9) }),
    ];
    await collections.projects.insertOne({
      _id: projectId,
      name: 'Shop',
      slug: projectId,
      revision: 1,
      createdAt: at(0),
    });
    await collections.runs.insertMany(runs);
    viewer = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
  });

  async function get(query = '', person = viewer) {
    const answer = await fetch(`${server.url}/projects/${projectId}/runs${query}`, {
      headers: { accept: 'text/html', cookie: person.sessionHeaders.cookie },
    });
    return { status: answer.status, html: await answer.text() };
  }
  const namesIn = (html: string) => [...html.matchAll(/<th scope="row"><a [^>]+>([^<]+)</g)].map(([, name]) => name);
  const idOf = (name: string) => runs.find(({ targetName }) => targetName === name)!._id;

  it('lists runs newest first, without tests of suites, with status and trigger', async () => {
    const { status, html } = await get();
    expect(status).to.equal(200);
    expect(namesIn(html)).to.deep.equal(['Smoke', 'third', 'second', 'first &lt;script>']);
    expect(html)
      .to.include(`<tr id="run-${idOf('second')}"`)
      .and.to.include('Command line')
      .and.to.include('4 runs');
  });

  it('is filtered by the URL', async () => {
    const expected: [string, string[]][] = [
      ['?status=failed', ['second']],
      ['?status=failed&status=running', ['Smoke', 'second']],
      ['?kind=suite&since=&until=', ['Smoke']],
      ['?trigger=cli', ['second']],
      ['?since=2026-01-02T12:02&kind=test', ['third', 'second']],
      ['?until=2026-01-02T13:02:00%2B01:00', ['second', 'first &lt;script>']],
      [`?targetId=${runs[4]!.targetId}`, ['of suite']],
    ];
    for (const [query, names] of expected) expect(namesIn((await get(query)).html), query).to.deep.equal(names);
    const { html } = await get('?status=stopped&trigger=web');
    expect(html)
      .to.include('No matching runs')
      .and.to.match(/value="web" checked/);
    for (const query of ['?status=green', '?since=yesterday', '?trigger=suite', '?kind=x', '?cursor=abc'])
      expect((await get(query)).status, query).to.equal(400);
  });

  it('keeps its filters when paging', async () => {
    const more = Array.from({ length: 60 }, (_, index) =>
      aTestRun({ projectId, targetName: `old ${index}`, queuedAt: at(-index), status: 'stopped' }),
    );
    await server.collections.runs.insertMany(more);
    const { html } = await get('?status=stopped');
    expect(namesIn(html)).to.have.length(50);
    const next = /href="[^"?]+(\?[^"]+)" rel="next"/.exec(html)![1]!.replaceAll('&amp;', '&');
    expect(next).to.include('status=stopped');
    const second = (await get(next)).html;
    expect(namesIn(second)[0]).to.equal('old 50');
    expect(namesIn(second)).to.have.length(10);
    expect(second).not.to.include('hx-sse:connect');
  });

  it('explains how to start a run when there is none', async () => {
    await server.collections.runs.deleteMany({ projectId });
    expect((await get()).html)
      .to.include('No runs yet')
      .and.to.include(`/projects/${projectId}/integrations`);
  });

  it('returns 404 for strangers', async () => {
    const stranger = await addPerson(server.collections);
    expect((await get('', stranger)).status).to.equal(404);
    expect((await get('/events', stranger)).status).to.equal(404);
  });

  it('updates rows in place, and announces new runs, within 1.5 s', async () => {
    const { html } = await get('?kind=test');
    const address = /hx-sse:connect="([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&');
    const stream = await readEvents(`${server.url}${address}`, { cookie: viewer.sessionHeaders.cookie });
    const has = (text: string) => () => stream.events.some(({ data }) => data.includes(text)) || undefined;
    await eventually(has(`<tr id="run-${idOf('third')}" hx-swap-oob="outerMorph"`));
    const other = aTestRun({ targetName: 'other project' });
    const fresh = aTestRun({ projectId, targetName: 'fresh' });
    const suites = aSuiteRun({ projectId });
    await server.collections.runs.insertMany([other, suites, fresh]);
    await eventually(has('Show 1 new run<'), 1500);
    const $set = { status: 'stopped' as const, modified: new Date(), endedAt: new Date() };
    await server.collections.runs.updateOne({ _id: idOf('third') }, { $set });
    await eventually(has('>stopped<'), 1500);
    stream.close();
    expect(stream.events.map(({ data }) => data).join('')).not.to.include(fresh._id);
  });

  it('does not announce runs of other projects for any requested IDs', async () => {
    const address = `/projects/${projectId}/runs/events?open=${idOf('foreign')}&after=${at(0).toISOString()}`;
    const stream = await readEvents(`${server.url}${address}`, { cookie: viewer.sessionHeaders.cookie });
    await eventually(() => stream.events[0]);
    stream.close();
    expect(stream.events[0]!.data).to.include('Show 4 new runs').and.not.to.include('foreign');
  });
});
