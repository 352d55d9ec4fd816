import { expect } from 'chai';
import { Binary, ObjectId } from 'mongodb';
import { open } from '#src/domain/variables/secret-box.js';
import { randomId } from '#src/domain/ids.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { addPerson } from '#test/support/people.js';
import { runServer, type RunServer } from './run-server.js';

describe('API: runs', () => {
  let api: RunServer;
  const record = async (id: string) => (await api.collections.runs.findOne({ _id: id }))!;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    api = await runServer();
  });
  beforeEach(() => {
    api.cancelled = [];
    api.cancel = async () => true;
  });

  async function started(body: object = {}, headers?: Record<string, string>) {
    const answer = await api.call('POST', '/testruns/', { testId: api.testId, ...body }, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  }

  describe('start', () => {
    it('commits a test run, with the person who started it', async () => {
      const run = await started({ triggeredBy: 'cli' });
      expect(run).to.include({
        kind: 'test',
        testId: api.testId,
        status: 'queued',
        name: 'Checkout works',
        attempt: 0,
      });
      expect(run.triggeredBy).to.deep.equal({ type: 'cli', name: api.editor.email, userId: api.editor.userId });
      expect(run.webappUrl).to.equal(`http://runs.example.test/runs/${run.id}`);
      expect(await record(run.id)).to.include({ status: 'queued', projectId: api.projectId });
      const entry = await api.collections.audit.findOne({ 'target.id': run.id });
      expect(entry).to.include({ action: 'testRun.start', projectId: api.projectId });
    });

    it('commits a suite run; a session counts as the web app', async () => {
      const { call, suiteId, editor } = api;
      const headers = { ...editor.sessionHeaders, authorization: undefined as never };
      const { status, body } = await call('POST', '/suiteruns', { suiteId }, headers);
      expect(status).to.equal(201);
      expect(body).to.include({ kind: 'suite', suiteId, parallelRun: true, parallelSlots: 4, runMode: 'parallel' });
      expect(body.triggeredBy.type).to.equal('web');
      expect(body.testRuns).to.deep.equal([]);
    });

    it('stores variables, encrypts secret ones, and never returns those', async () => {
      const variables = [
        { key: 'BASE', value: 'http://here' },
        { key: 'PASSWORD', value: 'hunter22', isSecret: true },
      ];
      const run = await started({ variables });
      expect(run.variables).to.deep.equal([
        { key: 'BASE', value: 'http://here', isSecret: false },
        { key: 'PASSWORD', value: null, isSecret: true },
      ]);
      const kept = (await record(run.id)).variables!;
      expect(JSON.stringify(kept)).not.to.contain('hunter22');
      expect(open(api.secretKeys, kept[1]!.sealed!)).to.equal('hunter22');
    });

    it('returns the same run for the same key, and 422 for different content, target or caller', async () => {
      const key = { 'idempotency-key': randomId() };
      const variables = [{ key: 'A', value: '1' }];
      const { id } = await started({ variables }, key);
      const again = await api.call('POST', '/testruns/', { testId: api.testId, variables }, key);
      expect([again.status, again.body.id]).to.deep.equal([200, id]);
      expect(await api.collections.audit.countDocuments({ 'target.id': id })).to.equal(1);
      const others = [
        await api.call('POST', '/testruns/', { testId: api.testId }, key),
        await api.call('POST', '/suiteruns/', { suiteId: api.suiteId }, key),
        await api.call('POST', `/testruns/${id}/rerun/`, undefined, key),
      ];
      expect(others.map(({ status }) => status)).to.deep.equal([422, 422, 422]);
      expect(others[0]!.body.code).to.equal('idempotency_key_reused');
    });

    it('rejects invalid input, by field', async () => {
      const wrong: [object, string][] = [
        [{}, 'testId'],
        [{ testId: 'x' }, 'testId'],
        [{ testId: api.testId, more: 1 }, 'more'],
        [{ testId: api.testId, variables: [{ key: 'RUNHOOK_X', value: '' }] }, 'variables.0.key'],
        [{ testId: api.testId, variables: [{ key: '1A', value: '' }] }, 'variables.0.key'],
        [{ testId: api.testId, variables: [{ key: 'A', value: 'x'.repeat(32_769) }] }, 'variables.0.value'],
        [{ testId: api.testId, variables: [{ key: 'A', value: 'a\0b' }] }, 'variables.0.value'],
        [{ testId: api.testId, variables: [{ key: 'A' }] }, 'variables.0.value'],
        [{ testId: api.testId, variables: Array(2).fill({ key: 'A', value: '' }) }, 'variables.1'],
        [{ testId: api.testId, runProfileId: randomId() }, 'runProfileId'],
        [{ testId: api.testId, triggeredBy: 'webhook' }, 'triggeredBy'],
      ];
      for (const [body, field] of wrong) {
        const answer = await api.call('POST', '/testruns/', body);
        expect(answer.status, JSON.stringify(body)).to.equal(400);
        expect(answer.body.fields.map((one: { field: string }) => one.field)).to.include(field);
      }
      const many = Array.from({ length: 201 }, (_, index) => ({ key: `K${index}`, value: '' }));
      expect((await api.call('POST', '/testruns/', { testId: api.testId, variables: many })).status).to.equal(400);
    });

    it('returns 409 for an archived test', async () => {
      const { insertedId } = await api.collections.tests.insertOne({
        ...(await api.collections.tests.findOne({ _id: api.testId }))!,
        _id: randomId(),
        archivedAt: new Date(),
      });
      const answer = await api.call('POST', '/testruns/', { testId: insertedId });
      expect(answer.status).to.equal(409);
      expect(answer.body.code).to.equal('archived');
    });

    it('requires an editor: 403 for a viewer, 404 for a stranger as for a missing test, 401 without credentials', async () => {
      const statusOf = async (headers: Record<string, string>, testId = api.testId) =>
        (await api.call('POST', '/testruns/', { testId }, headers)).status;
      expect(await statusOf(api.viewer.tokenHeaders)).to.equal(403);
      expect(await statusOf(api.stranger.tokenHeaders)).to.equal(404);
      expect(await statusOf(api.editor.tokenHeaders, randomId())).to.equal(404);
      expect(await statusOf({ authorization: '' })).to.equal(401);
    });
  });

  describe('show', () => {
    it('returns an ended run, with its attempts and duration', async () => {
      const { id } = await started();
      const statuses = createRunStatusStore(api.collections.runs);
      const delivery = { attempt: 1, delivery: 1 };
      await statuses.beginAttempt(id, { attempt: 1 }, 'worker-1');
      await statuses.endAttempt(id, delivery, { status: 'failed', exitCode: 3 }, false);
      const { body } = await api.call('GET', `/testruns/${id}/`);
      expect(body).to.include({ status: 'failed', attempt: 1 });
      expect(body.duration).to.be.within(0, 10);
      expect(body.attempts[0]).to.include({ number: 1, worker: 'worker-1', status: 'failed', exitCode: 3 });
      const status = await api.call('GET', `/testruns/${id}/status`, undefined, api.viewer.tokenHeaders);
      expect(Object.keys(status.body)).to.deep.equal(['id', 'status', 'modified', 'webappUrl']);
    });

    it('returns 404 for the other kind, for a stranger and for a missing run', async () => {
      const { id } = await started();
      const statuses = [
        await api.call('GET', `/suiteruns/${id}/`),
        await api.call('GET', `/testruns/${id}/`, undefined, api.stranger.tokenHeaders),
        await api.call('GET', `/testruns/${randomId()}/status/`),
      ];
      expect(statuses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
      expect(new Set(statuses.map(({ body }) => body.message)).size).to.equal(1);
    });

    it('returns the tests of a suite run, also in pages', async () => {
      const { suiteRun, tests } = await suiteRunWith(['passed', 'failed', 'queued']);
      const { body } = await api.call('GET', `/suiteruns/${suiteRun._id}/`);
      expect(body.testRuns.map((run: { id: string }) => run.id)).to.deep.equal(tests.map(({ _id }) => _id));
      expect(body.counts).to.include({ passed: 1, failed: 1, queued: 1 });
      const first = await api.call('GET', `/suiteruns/${suiteRun._id}/testruns/?limit=2`);
      expect(first.body).to.include({ count: 3, previous: null });
      const second = await api.call(
        'GET',
        new URL(first.body.next).pathname.slice(7) + new URL(first.body.next).search,
      );
      expect(second.body.results.map((run: { id: string }) => run.id)).to.deep.equal([tests[2]!._id]);
    });
  });

  describe('stop', () => {
    const stop = (id: string) => api.call('POST', `/testruns/${id}/stop/`);

    it('ends a pending run at once, also without Temporal', async () => {
      const { id } = await started();
      api.cancel = async () => Promise.reject(new Error('Temporal is down'));
      const { status, body } = await stop(id);
      expect(status).to.equal(200);
      expect(body.status).to.equal('stopped');
      const run = await record(id);
      expect(run.dispatch).to.equal(undefined);
      expect(run.endedAt).to.be.instanceOf(Date);
      // A start in flight is canceled as well.
      expect(api.cancelled).to.deep.equal([id]);
      expect((await api.collections.audit.findOne({ 'target.id': id, action: 'testRun.stop' }))?.actor.name).to.equal(
        api.editor.email,
      );
    });

    it('cancels the workflow of a run in progress; 503 when Temporal does not respond', async () => {
      const run = aTestRun({ projectId: api.projectId, status: 'running', startedAt: new Date() });
      await api.collections.runs.insertOne(run);
      expect((await stop(run._id)).body.status).to.equal('running');
      expect(api.cancelled).to.deep.equal([run._id]);
      api.cancel = async () => Promise.reject(new Error('Temporal is down'));
      const answer = await stop(run._id);
      expect(answer.status).to.equal(503);
      expect(answer.headers['retry-after']).to.equal('5');
    });

    it('ends a test of a suite that has not been started', async () => {
      const run = aTestRun({ projectId: api.projectId, suiteRunId: randomId(), position: 0 });
      await api.collections.runs.insertOne(run);
      api.cancel = async () => false;
      expect((await stop(run._id)).body.status).to.equal('stopped');
    });

    it('is restricted to admins once the project is deleted, like reading its runs', async () => {
      const own = await runServer();
      const admin = await addPerson(own.collections, { isAdmin: true });
      const run = aTestRun({ projectId: own.projectId, status: 'running', startedAt: new Date() });
      await own.collections.runs.insertOne(run);
      await own.collections.projects.updateOne({ _id: own.projectId }, { $set: { archivedAt: new Date() } });
      const calls = [
        ['GET', `/testruns/${run._id}/`],
        ['GET', `/testruns/${run._id}/logs/`],
        ['GET', `/projects/${own.projectId}/runs/`],
        ['POST', `/testruns/${run._id}/stop/`],
      ] as const;
      for (const [method, path] of calls) {
        const byAdmin = await own.call(method, path, undefined, admin.tokenHeaders);
        expect([byAdmin.status, (await own.call(method, path)).status], path).to.deep.equal([200, 404]);
        if (path.startsWith('/projects')) expect(byAdmin.body.results[0].id).to.equal(run._id);
      }
      expect(own.cancelled).to.deep.equal([run._id]);
      for (const [method, path] of [
        ['POST', `/testruns/${run._id}/rerun/`],
        ['GET', `/tests/${own.testId}/`],
        ['GET', `/projects/${own.projectId}/tests/`],
      ] as const)
        expect((await own.call(method, path, method === 'POST' ? {} : undefined, admin.tokenHeaders)).status).to.equal(
          404,
        );
    });

    it('does not change a run that has ended', async () => {
      const run = aTestRun({ projectId: api.projectId, status: 'passed', endedAt: new Date() });
      await api.collections.runs.insertOne(run);
      expect((await stop(run._id)).body).to.include({ status: 'passed', modified: run.modified.toISOString() });
      expect(api.cancelled).to.deep.equal([]);
    });
  });

  describe('rerun', () => {
    it('runs the current test with the previous variables', async () => {
      const first = await started({ variables: [{ key: 'P', value: 'hunter22', isSecret: true }] });
      await api.collections.tests.updateOne({ _id: api.testId }, { $set: { revision: 2 } });
      const { status, body } = await api.call('POST', `/testruns/${first.id}/rerun/`, { triggeredBy: 'cli' });
      expect(status).to.equal(201);
      expect(body).to.include({ rerunOf: first.id, testId: api.testId, status: 'queued' });
      expect(body.triggeredBy.type).to.equal('cli');
      const again = await record(body.id);
      expect(again.targetRevision).to.equal(2);
      expect(again.variables).to.deep.equal((await record(first.id)).variables);
    });

    it('uses the variables of the suite run for a test of a suite', async () => {
      const variables = [{ key: 'A', isSecret: false, value: '1' }];
      const { tests } = await suiteRunWith(['failed'], { variables });
      const { body } = await api.call('POST', `/testruns/${tests[0]!._id}/rerun/`);
      expect(body.suiteRunId).to.equal(null);
      expect((await record(body.id)).variables).to.deep.equal(variables);
    });

    it('runs only the tests that did not pass, in suite order', async () => {
      const { suiteRun, tests } = await suiteRunWith(['failed', 'passed', 'skipped', 'error', 'stopped']);
      await api.collections.runs.updateOne({ _id: suiteRun._id }, { $set: { status: 'failed' } });
      const key = { 'idempotency-key': randomId() };
      const { status, body } = await api.call('POST', `/suiteruns/${suiteRun._id}/rerun-failed/`, undefined, key);
      expect(status).to.equal(201);
      expect(body.rerunOf).to.equal(suiteRun._id);
      const run = (await record(body.id)) as SuiteRun;
      expect(run.definition.tests).to.deep.equal([0, 2, 3, 4].map((position) => tests[position]!.targetId));
      const again = await api.call('POST', `/suiteruns/${suiteRun._id}/rerun-failed/`, undefined, key);
      expect([again.status, again.body.id]).to.deep.equal([200, body.id]);
      expect((await api.call('POST', `/suiteruns/${suiteRun._id}/rerun/`, undefined, key)).status).to.equal(422);
    });

    it('returns 409 while the suite run is open, and when all tests passed', async () => {
      const { suiteRun } = await suiteRunWith(['passed']);
      const failed = () => api.call('POST', `/suiteruns/${suiteRun._id}/rerun-failed/`);
      expect((await failed()).body.code).to.equal('run_not_over');
      await api.collections.runs.updateOne({ _id: suiteRun._id }, { $set: { status: 'passed' } });
      expect((await failed()).body).to.include({ statusCode: 409, code: 'all_passed' });
    });
  });

  describe('artifacts', () => {
    it('are listed by name', async () => {
      const { id } = await started();
      const file = (filename: string, contentType?: string) => ({
        _id: new ObjectId(),
        filename,
        length: 12,
        chunkSize: 261_120,
        uploadDate: new Date(),
        metadata: { runId: id, ...(contentType ? { contentType } : {}) },
      });
      await api.collections.artifactFiles.insertMany([file('trace.zip'), file('junit.xml', 'application/xml')]);
      const { body } = await api.call('GET', `/testruns/${id}/artifacts/`);
      expect(body).to.include({ count: 2, next: null, previous: null });
      expect(body.results.map(({ name, size, type }: Record<string, unknown>) => [name, size, type])).to.deep.equal([
        ['junit.xml', 12, 'application/xml'],
        ['trace.zip', 12, 'application/octet-stream'],
      ]);
    });

    it('are returned as downloads of any type', async () => {
      const { id } = await started();
      const _id = new ObjectId();
      const sha256 = 'ab'.repeat(32);
      const metadata = { runId: id, contentType: 'text/html', attempt: 1, delivery: 1, sha256 };
      const file = { _id, filename: 'a "b".html', length: 3, chunkSize: 4, uploadDate: new Date() };
      await api.collections.artifactFiles.insertOne({ ...file, metadata });
      await api.collections.artifactChunks.insertOne({
        _id: new ObjectId(),
        files_id: _id,
        n: 0,
        data: new Binary(Buffer.from('[1]')),
      });
      const { status, body, headers } = await api.call('GET', `/testruns/${id}/artifacts/${_id.toString()}/`);
      expect([status, body]).to.deep.equal([200, [1]]);
      expect(headers).to.include({
        'content-type': 'application/octet-stream',
        'content-disposition': "attachment; filename*=UTF-8''a%20%22b%22.html",
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'content-length': 3,
        etag: `"${sha256}"`,
      });
      for (const other of ['nothing', new ObjectId().toString()])
        expect((await api.call('GET', `/testruns/${id}/artifacts/${other}/`)).status).to.equal(404);
    });
  });

  /** A suite run in progress, with a test run of each status. */
  async function suiteRunWith(statuses: TestRun['status'][], some: Partial<SuiteRun> = {}) {
    const { projectId, suiteId, testId } = api;
    const suiteRun = aSuiteRun({ projectId, targetId: suiteId, status: 'running', startedAt: new Date(), ...some });
    const tests = statuses.map((status, position) =>
      // The first is an existing test.
      aTestRun({
        projectId,
        status,
        position,
        suiteRunId: suiteRun._id,
        ...(position === 0 ? { targetId: testId } : {}),
      }),
    );
    await api.collections.runs.insertMany([suiteRun, ...tests]);
    return { suiteRun, tests };
  }
});
