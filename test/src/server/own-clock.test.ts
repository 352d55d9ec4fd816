import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Db, Document } from 'mongodb';
import { createArtifactSink } from '#activities/results/artifact-sink.js';
import { createArtifactUploads } from '#src/db/artifacts/artifact-uploads.js';
import { createPoolStore, recordPools } from '#src/db/pools/pool-store.js';
import { randomId } from '#src/domain/ids.js';
import { MIB } from '#src/lib/bytes.js';
import { createFirstAdmin } from '#src/services/people/create-first-admin.js';
import { importProject } from '#src/services/projects/import-project.js';
import { aTestRun } from '#test/builders/run.js';
import { textLog } from '#test/fixtures/commands/support.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson } from '#test/support/people.js';
import { pageBrowser } from '#test/support/servers/page-browser.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';
import { withClockAhead } from '#test/support/with-clock-ahead.js';
import { ask } from './people/asking.js';

/** Longer than all lifetimes: such a time must come from the clock of this process. */
const BEHIND_MS = 1000 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const PROJECT_FILE = `
project: Shop
tests:
  - name: Pays
    command: ["true"]
    cwd: /srv
    pool: big
suites:
  - name: All
    tests: [Pays]
schedules:
  - name: Nightly
    suite: All
    cron: "0 6 * * *"
`;

describe('server with a wrong clock', () => {
  let real: RealServer;
  let folder: string;
  let file: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    folder = await mkdtemp(join(tmpdir(), 'runhook-own-clock-'));
    file = join(folder, 'shop.yaml');
    await writeFile(file, PROJECT_FILE);
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await real.close();
  });

  /** Names of all fields in the database with a time from the clock of this process. */
  async function fieldsByOwnClock(db: Db): Promise<string[]> {
    const now = Date.now();
    const isOwn = (value: Date) => value.getTime() < now - BEHIND_MS / 2;
    const within = (value: unknown): string[] =>
      Object.entries((value ?? {}) as Document).flatMap(([name, field]) => {
        if (field instanceof Date) return isOwn(field) ? [name] : [];
        return typeof field === 'object' ? within(field).map((rest) => `${name}.${rest}`) : [];
      });
    const found = new Set<string>();
    for (const { name } of await db.listCollections().toArray())
      for await (const document of db.collection(name).find())
        for (const field of within({ ...document, _id: undefined })) found.add(`${name}: ${field}`);
    return [...found].sort();
  }

  const addProject = (_id: string) =>
    real.collections.projects.insertOne({ _id, name: 'Demo', slug: _id, revision: 1, createdAt: new Date() });

  it('stores no times of its own clock', async () => {
    const { collections } = real;
    const { db, clock } = await testDatabase();
    await withClockAhead(-BEHIND_MS, () => createFirstAdmin({ collections, clock }, { email: 'first@example.test' }));
    const admin = await addPerson(collections, { isAdmin: true });
    const joiner = await addPerson(collections);
    const now = new Date();
    const worker = { host: 'h', pid: 1, workflows: true, slots: 1, startedAt: now, seenAt: now };
    await collections.workers.insertOne({ _id: randomId(), pools: ['idle'], ...worker });
    // Like pools from before they had records.
    await collections.pools.deleteMany({});
    const call = async (method: string, path: string, payload: object | string, headers = admin.sessionHeaders) => {
      const isText = typeof payload === 'string';
      const answer = await real.server.inject({
        method,
        url: `/api/v2${path}`,
        headers: { ...headers, 'if-match': '*', ...(isText ? { 'content-type': 'application/yaml' } : {}) },
        payload,
      });
      expect(answer.statusCode, `${method} ${path}: ${answer.payload}`).to.be.within(200, 299);
      return JSON.parse(answer.payload || '{}') as { id: string; url: string };
    };

    await withClockAhead(-BEHIND_MS, async () => {
      await recordPools(collections);
      await createPoolStore(collections).openBySetup('opened', randomId());
      await importProject({ collections, secretKeys: [Buffer.alloc(32, 1)], clock }, file);
      const ownFile = PROJECT_FILE.replace('    pool: big\n', '').replace('Shop', 'Own shop');
      await call('POST', '/import/', ownFile);
      await call('POST', '/import/', ownFile.replace('"true"', '"false"'));

      const { id: projectId } = await call('POST', '/projects/', { name: 'Other shop', retentionDays: 30 });
      const inProject = `/projects/${projectId}`;
      const test = await call('POST', `${inProject}/tests/`, { name: 'Pays', command: ['true'], cwd: '/srv' });
      await call('PATCH', `/tests/${test.id}/`, { name: 'Pays twice' });
      const suite = await call('POST', `${inProject}/suites/`, { name: 'All', tests: [test.id] });
      await call('POST', `${inProject}/schedules/`, { name: 'Nightly', suiteId: suite.id, cron: '0 6 * * *' });
      await call('POST', `${inProject}/profiles/`, { name: 'Staging' });
      await call('POST', '/pools/', { name: 'gpu' });
      await call('PATCH', '/pools/gpu/', { description: 'fast' });
      await call('POST', `${inProject}/tokens/`, { name: 'ci', scopes: ['read'] });
      const invitation = await call('POST', `${inProject}/invitations/`, { role: 'viewer' });
      const token = invitation.url.split('/').at(-1)!;
      await call('POST', '/auth/accept-invitation/', { token }, joiner.sessionHeaders);
      const user = await call('POST', '/users/', { email: 'new@example.test', password: 'long enough 1' });
      await call('PATCH', `/users/${user.id}/`, { disabled: true });

      const { send } = pageBrowser(real.server, admin);
      const made = await send('/profile/tokens', { name: 'CI', scopes: ['read'], lifetime: '90' });
      expect(made.status).to.equal(200);
      const guess = { email: 'first@example.test', password: 'wrong' };
      expect((await ask(real.server, 'POST', '/auth/sign-in/', { body: guess })).status).to.equal(401);
    });
    expect(await collections.users.countDocuments({ disabledAt: { $exists: true } })).to.equal(1);
    expect(await collections.memberships.countDocuments({ userId: joiner.userId, role: 'viewer' })).to.equal(1);
    expect(await fieldsByOwnClock(db)).to.deep.equal([]);
  });

  it('returns the duration of an open run', async () => {
    const run = aTestRun({ status: 'running', startedAt: new Date() });
    await addProject(run.projectId);
    await real.collections.runs.insertOne(run);
    const { tokenHeaders } = await addPerson(real.collections, { roles: { [run.projectId]: 'viewer' } });
    const durations = await withClockAhead(HOUR_MS, async () => {
      const { body: one } = await ask(real.server, 'GET', `/testruns/${run._id}/`, { headers: tokenHeaders });
      const { body: list } = await ask(real.server, 'GET', '/testruns/', { headers: tokenHeaders });
      return [one, ...list.results].map(({ id, duration }) => ({ id, isShort: duration < 600 }));
    });
    const expected = { id: run._id, isShort: true };
    expect(durations).to.deep.equal([expected, expected]);
  });

  it('opens a report for the documented time', async () => {
    const { collections } = real;
    const run = aTestRun({ status: 'failed', attempt: 1 });
    await addProject(run.projectId);
    await collections.runs.insertOne(run);
    const place = { runId: run._id, projectId: run.projectId, attempt: 1, delivery: 1 };
    const limits = { fileBytes: MIB, runBytes: MIB, projectBytes: MIB };
    const uploads = createArtifactUploads(collections, limits.projectBytes);
    const { signal } = new AbortController();
    const { add } = createArtifactSink({ uploads, place, limits, log: textLog(), signal });
    await add({ name: 'index.html', contentType: 'text/html', content: Buffer.from('<p>All passed') });
    const { _id } = (await collections.artifactFiles.findOne({ 'metadata.runId': run._id }))!;
    const viewer = await addPerson(collections, { roles: { [run.projectId]: 'viewer' } });
    const { html } = await pageBrowser(real.server, viewer).get(`/runs/${run._id}/report/${_id.toString()}`);
    const [, src] = / src="(\/reports\/[^"]+)"/.exec(html)!;
    const answer = await withClockAhead(2 * HOUR_MS, () => real.server.inject({ url: src! }));
    expect(answer.statusCode, answer.payload).to.equal(200);
    expect(answer.payload).to.include('All passed');
  });
});
