import { expect } from 'chai';
import { insertLogLines } from '#src/db/runs/run-logs.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { aTestRun } from '#test/builders/run.js';
import { logLine } from '#test/builders/sample-runs.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { readEvents, type EventReader } from '#test/support/servers/event-stream.js';
import { liveServer, type LiveServer } from '#test/support/servers/live-server.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

/** The documented maximum delay of a change on the page, in ms. */
const PROMISE_MS = 1500;

describe('live pages', () => {
  let servers: LiveServer[];
  let member: TestPerson;
  let run: TestRun;
  let readers: EventReader[];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    servers = await Promise.all([liveServer(), liveServer()]);
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  beforeEach(async () => {
    readers = [];
    const { collections } = await testDatabase();
    // It already counts as late: a page is rendered again when that begins (see change-feed.ts).
    const queuedAt = new Date(Date.now() - 60_000);
    run = aTestRun({ queuedAt, modified: queuedAt });
    await collections.projects.insertOne({
      _id: run.projectId,
      name: 'Demo shop',
      slug: run.projectId,
      revision: 1,
      createdAt: new Date(),
    });
    await collections.runs.insertOne(run);
    member = await addPerson(collections, { roles: { [run.projectId]: 'viewer' } });
  });
  afterEach(() => readers.forEach((reader) => reader.close()));

  async function listen(server: LiveServer): Promise<EventReader> {
    const reader = await readEvents(`${server.url}/runs/${run._id}/events`, { cookie: member.sessionHeaders.cookie });
    readers.push(reader);
    return reader;
  }
  const shows = (reader: EventReader, text: string) => async () =>
    reader.events.some(({ data }) => data.includes(text)) || undefined;
  const begin = async () =>
    createRunStatusStore((await testDatabase()).collections.runs).beginAttempt(run._id, { attempt: 1 }, 'ci-1');

  it('begin with the current state, as an unbuffered stream', async () => {
    const reader = await listen(servers[0]!);
    expect(reader.status).to.equal(200);
    expect(reader.headers.get('content-type')).to.match(/^text\/event-stream/);
    expect(reader.headers.get('x-accel-buffering')).to.equal('no');
    expect(reader.headers.get('content-encoding')).to.equal('identity');
    await eventually(shows(reader, 'id="run-title" data-over="false" hx-swap-oob="outerMorph"'));
    await eventually(shows(reader, 'The run is queued.'));
  });

  it('show a change in time through every server', async () => {
    const both = await Promise.all(servers.map(listen));
    await Promise.all(both.map((reader) => eventually(shows(reader, 'The run is queued.'))));
    await begin();
    const since = Date.now();
    await Promise.all(both.map((reader) => eventually(shows(reader, 'The run is running.'))));
    expect(Date.now() - since).to.be.below(PROMISE_MS);
  });

  it('show new lines of the log, and the last ones to later viewers', async () => {
    const first = await listen(servers[0]!);
    await eventually(shows(first, 'The run is queued.'));
    const write = async (...texts: string[]) =>
      insertLogLines(
        (await testDatabase()).collections.runLogs,
        texts.map((text) => {
          const line = logLine(text, { runId: run._id });
          return { ...line, _id: `${run._id}:${line.seq}` };
        }),
      );
    await write('one <script>', 'two');
    const since = Date.now();
    await eventually(shows(first, 'one &lt;script>'));
    expect(Date.now() - since).to.be.below(PROMISE_MS);
    await write('three');
    await eventually(shows(first, 'three'));
    const logOf = ({ events }: EventReader) => events.filter(({ event }) => event === 'log');
    const { after } = JSON.parse(logOf(first).at(-1)!.data) as { after: string };
    expect(after).to.match(/^1\.1\.\d+$/);
    const later = await listen(servers[0]!);
    await eventually(shows(later, 'three'));
    expect(logOf(later)).to.have.length(1);
    expect(logOf(later)[0]!.data).to.include('one &lt;script>').and.to.include('two');
  });

  it('catch up after reads failed', async () => {
    const first = await listen(servers[0]!);
    await eventually(shows(first, 'The run is queued.'));
    first.close();
    await begin();
    const again = await listen(servers[1]!);
    await eventually(shows(again, 'The run is running.'), PROMISE_MS);
  });

  it('cost the database the same for 200 viewers as for one', async () => {
    const server = servers[0]!;
    // The rights of all viewers are also read together every 2 s.
    const ofRights = ['find users', 'find sessions', 'find memberships', 'distinct projects'];
    const looks = () => server.commands.filter((command) => command === 'find runs').length;
    const overLooks = async () => {
      server.commands.length = 0;
      await eventually(() => looks() >= 3 || undefined);
      return server.commands.filter((command) => !ofRights.includes(command)).sort();
    };
    // A newly watched run is rendered again: that has happened once only the run and its log are read.
    const settled = () =>
      eventually(async () => {
        const commands = await overLooks();
        return new Set(commands).size === 2 ? commands : undefined;
      });
    const first = await listen(server);
    await eventually(shows(first, 'The run is queued.'));
    const ofOne = await settled();
    const others = await Promise.all(Array.from({ length: 199 }, () => listen(server)));
    await Promise.all(others.map((reader) => eventually(shows(reader, 'The run is queued.'))));
    const ofAll = await settled();
    expect(new Set(ofAll)).to.deep.equal(new Set(ofOne));
    expect(ofAll.length).to.be.within(ofOne.length - 1, ofOne.length + 1);

    server.commands.length = 0;
    await begin();
    await Promise.all([first, ...others].map((reader) => eventually(shows(reader, 'The run is running.'), PROMISE_MS)));
    // The change is read and rendered once.
    expect(server.commands.filter((command) => command === 'find projects')).to.have.length(1);
    // The rights of 200 viewers take as many queries as those of one.
    server.commands.length = 0;
    await eventually(async () => server.commands.includes('distinct projects') || undefined, 5000);
    const first4 = server.commands.filter((command) => ofRights.includes(command)).slice(0, 4);
    expect(new Set(first4)).to.have.property('size', 4);
  }).timeout(60_000);

  it('require membership, and return errors for scripts', async () => {
    const url = `${servers[0]!.url}/runs/${run._id}/events`;
    const accept = 'text/html, text/event-stream';
    const anonymous = await fetch(url, { headers: { accept }, redirect: 'manual' });
    expect(anonymous.status).to.equal(401);
    expect(anonymous.headers.get('content-type')).to.match(/^application\/json/);
    const stranger = await addPerson((await testDatabase()).collections);
    const { cookie } = stranger.sessionHeaders;
    expect((await fetch(url, { headers: { accept, cookie } })).status).to.equal(404);
  });

  describe('end when the viewer loses the right, on every server', () => {
    type Change = (collections: LiveServer['collections']) => Promise<unknown>;
    const { userId, projectId } = { userId: () => member.userId, projectId: () => run.projectId };
    const changes: Record<string, Change> = {
      'signed out': ({ sessions }) => sessions.deleteMany({ userId: userId() }),
      'account disabled': ({ users }) => users.updateOne({ _id: userId() }, { $set: { disabledAt: new Date() } }),
      'other password': ({ users }) => users.updateOne({ _id: userId() }, { $inc: { credentialVersion: 1 } }),
      'membership removed': ({ memberships }) => memberships.deleteOne({ userId: userId() }),
      'project removed': ({ projects }) =>
        projects.updateOne({ _id: projectId() }, { $set: { archivedAt: new Date() } }),
    };
    const byToken = { 'token revoked': { revokedAt: new Date() }, 'token expired': { expiresAt: new Date() } };
    const PROMISED_MS = 5000;

    for (const [name, change] of Object.entries(changes))
      it(name, async () => {
        const both = await Promise.all(servers.map(listen));
        const other = await addPerson((await testDatabase()).collections, { roles: { [run.projectId]: 'viewer' } });
        const stays = await readEvents(`${servers[0]!.url}/runs/${run._id}/events`, {
          cookie: other.sessionHeaders.cookie,
        });
        readers.push(stays);
        await change((await testDatabase()).collections);
        await eventually(async () => both.every((reader) => reader.isEnded()) || undefined, PROMISED_MS);
        if (name !== 'project removed') expect(stays.isEnded()).to.equal(false);
        expect((await listen(servers[0]!)).status).to.be.oneOf([401, 404]);
      });

    for (const [name, change] of Object.entries(byToken))
      it(name, async () => {
        const reader = await readEvents(`${servers[0]!.url}/runs/${run._id}/events`, {
          authorization: member.tokenHeaders.authorization,
        });
        readers.push(reader);
        expect(reader.status).to.equal(200);
        await (await testDatabase()).collections.apiTokens.updateOne({ userId: userId() }, { $set: change });
        await eventually(async () => reader.isEnded() || undefined, PROMISED_MS);
      });
  });

  it('continue for an admin when the project is deleted', async () => {
    const admin = await addPerson((await testDatabase()).collections, { isAdmin: true });
    const [ended, stays] = await Promise.all([
      listen(servers[0]!),
      readEvents(`${servers[0]!.url}/runs/${run._id}/events`, { cookie: admin.sessionHeaders.cookie }),
    ]);
    readers.push(stays);
    const { projects } = (await testDatabase()).collections;
    await projects.updateOne({ _id: run.projectId }, { $set: { archivedAt: new Date() } });
    await eventually(async () => ended.isEnded() || undefined, 5000);
    expect([stays.status, stays.isEnded()]).to.deep.equal([200, false]);
  });

  it('end when the server stops', async () => {
    const leaving = await liveServer();
    const reader = await listen(leaving);
    await eventually(shows(reader, 'The run is queued.'));
    await leaving.close();
    await eventually(async () => reader.isEnded() || undefined, 2000);
  });

  it('are rejected when there are too many', async () => {
    const small = await liveServer({ streams: 1 });
    expect((await listen(small)).status).to.equal(200);
    expect((await listen(small)).status).to.equal(503);
    await small.close();
  });
});
