import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'chai';
import { createSuiteActivities, type SuiteActivities, type SuiteFinish } from '#activities/suite-expansion.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createRunStatusStore, type RunStatusStore } from '#src/db/runs/run-status-store.js';
import { createSuiteRunStore } from '#src/db/suite-runs/suite-run-store.js';
import { randomId, runIdOfPosition } from '#src/domain/ids.js';
import type { Test, TestRevision } from '#src/domain/records.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { statusCounts } from '#src/domain/runs/run-status.js';
import { aSuiteDefinition, aSuiteRun, aTestDefinition } from '#test/builders/run.js';
import { aTest as aTestOnRecord } from '#test/builders/test.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { activityEnvironment } from './activity-environment.js';

describe('createSuiteActivities', () => {
  let collections: Collections;
  let statuses: RunStatusStore;
  let suite: SuiteActivities;
  const projectId = randomId();
  const aTest = (some: Partial<Test> = {}) => aTestOnRecord({ projectId, ...some });
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    statuses = createRunStatusStore(collections.runs);
    suite = createSuiteActivities({ suiteRuns: createSuiteRunStore(collections), statuses });
  });

  /** A suite run that was just started, of existing tests. */
  async function accepted(tests: Test[], some: Partial<SuiteRun> = {}): Promise<SuiteRun> {
    const definition = aSuiteDefinition({ tests: tests.map(({ _id }) => _id) });
    const run = aSuiteRun({ definition, projectId, ...some });
    const known = new Map(tests.map((test) => [test._id, test]));
    if (known.size > 0) await collections.tests.insertMany([...known.values()]);
    await collections.runs.insertOne(run);
    return run;
  }

  const expand = ({ _id }: SuiteRun, environment = activityEnvironment()) =>
    environment.run(suite.expandSuite, { runId: _id }) as ReturnType<SuiteActivities['expandSuite']>;
  const finish = ({ _id }: SuiteRun, stopped: boolean, more: Partial<SuiteFinish> = {}) =>
    activityEnvironment().run(suite.finishSuite, { runId: _id, stopped, ...more }) as ReturnType<
      SuiteActivities['finishSuite']
    >;
  const recorded = async ({ _id }: SuiteRun) => (await collections.runs.findOne({ _id })) as SuiteRun;
  const testRuns = async ({ _id }: SuiteRun) =>
    (await collections.runs.find({ suiteRunId: _id }).sort({ position: 1 }).toArray()) as TestRun[];
  const verdict = (run: TestRun, status: 'passed' | 'failed' | 'error') =>
    statuses.endAttempt(run._id, { attempt: 1, delivery: 1 }, { status }, false);

  const failed = ({ _id }: TestRun, again: boolean) =>
    statuses.endAttempt(_id, { attempt: 1, delivery: 1 }, { status: 'failed' }, again);

  describe('expandSuite', () => {
    it('inserts every test run, queued, with its snapshot and position, and starts the suite run', async () => {
      const tests = [aTest({ name: 'One' }), aTest({ name: 'Two', revision: 7 })];
      const run = await accepted(tests);
      expect(await expand(run)).to.deep.equal({ total: 2, over: false });
      const written = await testRuns(run);
      expect(written.map(({ _id }) => _id)).to.deep.equal([runIdOfPosition(run._id, 0), runIdOfPosition(run._id, 1)]);
      expect(written[1]).to.deep.include({
        kind: 'test',
        projectId: run.projectId,
        targetId: tests[1]!._id,
        targetName: 'Two',
        targetRevision: 7,
        definition: tests[1]!.definition,
        status: 'queued',
        position: 1,
        triggeredBy: { type: 'suite' },
        expiresAt: run.expiresAt,
      });
      expect(written[1]).not.to.have.property('dispatch');
      expect((await recorded(run)).status).to.equal('running');
    });

    it('changes nothing when repeated, also after a crash half-way', async () => {
      const run = await accepted([aTest(), aTest(), aTest()]);
      await expand(run);
      const [first, ...others] = await testRuns(run);
      await statuses.beginAttempt(first!._id, { attempt: 1 }, 'worker');
      await collections.runs.deleteOne({ _id: others[1]!._id });
      expect(await expand(run)).to.deep.equal({ total: 3, over: false });
      const again = await testRuns(run);
      expect(again.map(({ status }) => status)).to.deep.equal(['running', 'queued', 'queued']);
      expect(again.slice(1)).to.deep.equal(others);
    });

    it('runs a test twice that the suite lists twice', async () => {
      const twice = aTest();
      const run = await accepted([twice, twice]);
      expect(await expand(run)).to.deep.equal({ total: 2, over: false });
      const written = await testRuns(run);
      expect(written.map(({ targetId, position }) => [targetId, position])).to.deep.equal([
        [twice._id, 0],
        [twice._id, 1],
      ]);
    });

    const HOUR = 3_600_000;
    const hours = (count: number) => new Date(Date.now() + count * HOUR);
    const revisions = async (run: SuiteRun) =>
      (await testRuns(run)).map(({ status, errorCode, targetRevision }) => errorCode ?? `${status} ${targetRevision}`);
    const keep = ({ _id: testId, name, definition }: Test, revision: number, some: Partial<TestRevision>) =>
      collections.testRevisions.insertOne({
        _id: `${testId}:${revision}`,
        testId,
        name,
        definition,
        revision,
        modifiedAt: hours(-2),
        ...some,
      });

    it("uses each test's revision at the trigger, regardless of clocks", async () => {
      const ahead = aTest({ changeNumber: 3, modifiedAt: hours(2) });
      const changedSince = aTest({ changeNumber: 5, revision: 3, modifiedAt: hours(-2) });
      await keep(changedSince, 1, { changeNumber: 1 });
      await keep(changedSince, 2, { changeNumber: 4, modifiedAt: hours(2) });
      const archivedSince = aTest({ changeNumber: 2, archivedAt: hours(-2), archivedAtChange: 5 });
      const run = await accepted([ahead, changedSince, archivedSince], { changeNumber: 4 });
      expect(await expand(run)).to.deep.equal({ total: 3, over: false });
      expect(await revisions(run)).to.deep.equal(['queued 1', 'queued 2', 'queued 1']);
    });

    it('treats tests of an older version without change numbers as existing before', async () => {
      const unnumbered = aTest({ modifiedAt: hours(2), revision: 7 });
      const changedSince = aTest({ revision: 2, changeNumber: 1 });
      await keep(changedSince, 1, { modifiedAt: hours(2) });
      const archived = aTest({ archivedAt: hours(2) });
      const run = await accepted([unnumbered, changedSince, archived], { changeNumber: 0 });
      await expand(run);
      expect(await revisions(run)).to.deep.equal(['queued 7', 'queued 1', 'TEST_MISSING']);
    });

    it('compares times for runs triggered by an older server, and drops no test', async () => {
      const changedSince = aTest({ revision: 2, changeNumber: 9, modifiedAt: hours(1) });
      await keep(changedSince, 1, {});
      const ahead = aTest({ revision: 4, modifiedAt: hours(1) });
      const archivedSince = aTest({ archivedAt: hours(1) });
      const run = await accepted([changedSince, ahead, archivedSince, aTest({ archivedAt: hours(-1) })]);
      await expand(run);
      expect(await revisions(run)).to.deep.equal(['queued 1', 'queued 4', 'queued 1', 'TEST_MISSING']);
    });

    it('records an error at its position for each missing test', async () => {
      const archived = aTest({ name: 'Old checkout', changeNumber: 1, archivedAt: hours(2), archivedAtChange: 2 });
      const later = aTest({ changeNumber: 3 });
      const ofOthers = aTest({ projectId: randomId(), name: 'Secret of others' });
      const tests = [aTest(), archived, later, ofOthers, aTest()];
      const definition = aSuiteDefinition({ tests: [...tests.map(({ _id }) => _id), 'never-there'] });
      const run = await accepted(tests, { definition, changeNumber: 2 });
      for (const _delivery of [1, 2]) expect(await expand(run)).to.deep.equal({ total: 6, over: false });
      const written = await testRuns(run);
      expect(written.map(({ status, errorCode }) => [status, errorCode])).to.deep.equal([
        ['queued', undefined],
        ...[1, 2, 3].map(() => ['error', 'TEST_MISSING']),
        ['queued', undefined],
        ['error', 'TEST_MISSING'],
      ]);
      expect(written.map(({ targetName }) => targetName))
        .to.include('Old checkout')
        .and.not.include('Secret of others');
      expect(written[1]!.errorMessage).to.include('archived').and.include('restore');
      expect(written[5]).to.deep.include({ targetName: 'never-there', attempts: [] });
      expect(written[5]!.endedAt).to.be.instanceOf(Date);
      const listed = await suite.listSuiteTests({ runId: run._id, from: 0, limit: 100 });
      expect(listed.map(({ isMissing = false }) => isMissing)).to.deep.equal([false, true, true, true, false, true]);
    });

    it('sends a heartbeat for every batch of a large suite', async () => {
      const test = aTest();
      const definition = aSuiteDefinition({ tests: Array.from({ length: 2500 }, () => test._id) });
      const run = await accepted([test], { definition });
      const environment = activityEnvironment();
      let heartbeats = 0;
      environment.on('heartbeat', () => heartbeats++);
      expect(await expand(run, environment)).to.deep.equal({ total: 2500, over: false });
      expect(heartbeats).to.equal(3);
    });

    it('inserts nothing for a suite run that is over, and fails permanently if it was deleted', async () => {
      const over = await accepted([aTest()], { status: 'error' });
      expect(await expand(over)).to.deep.equal({ total: 0, over: true });
      expect(await testRuns(over)).to.deep.equal([]);
      const gone = await expand(aSuiteRun()).catch((error: unknown) => error);
      expect(gone).to.be.instanceOf(ApplicationFailure).and.include({ type: 'RunGone', nonRetryable: true });
    });
  });

  it('listSuiteTests returns a page in order with what the workflow needs', async () => {
    const tests = [10, 20, 30].map((timeoutMs, retries) =>
      aTest({ name: `Test ${retries}`, definition: aTestDefinition({ timeoutMs, retries, pool: 'gpu' }) }),
    );
    const run = await accepted(tests);
    await expand(run);
    const page = await suite.listSuiteTests({ runId: run._id, from: 1, limit: 2 });
    expect(page).to.deep.equal(
      [1, 2].map((position) => ({
        runId: runIdOfPosition(run._id, position),
        targetId: tests[position]!._id,
        name: `Test ${position}`,
        position,
        pool: 'gpu',
        timeoutMs: (position + 1) * 10,
        retries: position,
      })),
    );
    expect(await suite.listSuiteTests({ runId: run._id, from: 3, limit: 2 })).to.deep.equal([]);
  });

  it('listSuiteTests returns failed tests that may run again, with their earlier attempts', async () => {
    const run = await accepted([aTest(), aTest(), aTest(), aTest()]);
    await expand(run);
    const all = await testRuns(run);
    for (const index of [0, 1, 3]) {
      await statuses.beginAttempt(all[index]!._id, { attempt: 1 }, 'worker');
      await failed(all[index]!, index !== 1);
    }
    const page = { runId: run._id, limit: 100, onlyFailed: true };
    const listed = await suite.listSuiteTests({ ...page, from: 0 });
    expect(listed.map(({ position, earlierAttempts }) => [position, earlierAttempts])).to.deep.equal([
      [0, 1],
      [3, 1],
    ]);
    expect((await suite.listSuiteTests({ ...page, from: 1 })).map(({ position }) => position)).to.deep.equal([3]);
  });

  it('endedRuns returns runs that are over, and those without a record', async () => {
    const run = await accepted([aTest(), aTest()]);
    await expand(run);
    const [one, two] = await testRuns(run);
    await verdict(one!, 'failed');
    const runIds = [two!._id, 'gone', one!._id];
    expect(await suite.endedRuns({ runIds })).to.deep.equal([
      { runId: 'gone', status: 'error' },
      { runId: one!._id, status: 'failed' },
    ]);
  });

  describe('finishSuite', () => {
    it('reports the timeout, and keeps `failed` if a test failed', async () => {
      for (const [status, expected] of [
        ['passed', 'error'],
        ['failed', 'failed'],
      ] as const) {
        const run = await accepted([aTest(), aTest()]);
        await expand(run);
        await verdict((await testRuns(run))[0]!, status);
        expect(await finish(run, false, { timedOutAfterMs: 90_000 })).to.deep.equal({ status: expected });
        const ended = await recorded(run);
        expect(ended).to.include({ status: expected, errorCode: 'SUITE_TIMEOUT' });
        expect(ended.errorMessage).to.include('90 s').and.include('skipped (1)');
      }
    });

    it('keeps the last verdict of a test that waited for a later pass', async () => {
      const run = await accepted([aTest()]);
      await expand(run);
      const [test] = await testRuns(run);
      await statuses.beginAttempt(test!._id, { attempt: 1 }, 'worker');
      await failed(test!, true);
      expect(await finish(run, true)).to.deep.equal({ status: 'failed' });
      expect((await testRuns(run))[0]).to.include({ status: 'failed' });
    });

    it('skips thousands of tests in batches', async () => {
      const test = aTest();
      const tests = Array.from({ length: 2500 }, () => test._id);
      const run = await accepted([test], { definition: aSuiteDefinition({ tests }) });
      await expand(run);
      expect(await finish(run, true)).to.deep.equal({ status: 'stopped' });
      expect((await recorded(run)).counts).to.deep.equal(statusCounts({ skipped: 2500 }));
    });

    it('is an error without tests or if none exist, and passed only if a test passed', async () => {
      const empty = await accepted([]);
      expect(await expand(empty)).to.deep.equal({ total: 0, over: false });
      expect(await finish(empty, false)).to.deep.equal({ status: 'error' });
      expect(await recorded(empty)).to.include({ status: 'error', errorCode: 'SUITE_EMPTY' });
      const missing = await accepted([], { definition: aSuiteDefinition({ tests: ['never-there'] }) });
      await expand(missing);
      expect(await finish(missing, false)).to.deep.equal({ status: 'error' });
      expect((await recorded(missing)).counts).to.deep.equal(statusCounts({ error: 1 }));
    });

    it('gives the reason for a skipped suite', async () => {
      const run = await accepted([aTest()]);
      const end = { status: 'skipped', reason: 'another run was not over' } as const;
      expect(await finish(run, false, { end })).to.deep.equal({ status: 'skipped' });
      expect(await recorded(run)).to.include(end);
    });

    it('derives the status from the tests, with their counts', async () => {
      const run = await accepted([aTest(), aTest(), aTest()]);
      await expand(run);
      const [one, two, three] = await testRuns(run);
      await verdict(one!, 'passed');
      await verdict(two!, 'failed');
      await verdict(three!, 'error');
      expect(await finish(run, false)).to.deep.equal({ status: 'failed' });
      const ended = await recorded(run);
      expect(ended.status).to.equal('failed');
      expect(ended.counts).to.deep.equal(statusCounts({ passed: 1, failed: 1, error: 1 }));
      expect(ended.endedAt).to.be.instanceOf(Date);
    });

    it('ends tests that never started as skipped and running ones as stopped', async () => {
      const run = await accepted([aTest(), aTest(), aTest()]);
      await expand(run);
      const [one, two] = await testRuns(run);
      await verdict(one!, 'passed');
      await statuses.beginAttempt(two!._id, { attempt: 1 }, 'worker');
      expect(await finish(run, true)).to.deep.equal({ status: 'stopped' });
      expect((await testRuns(run)).map(({ status }) => status)).to.deep.equal(['passed', 'stopped', 'skipped']);
      expect((await recorded(run)).counts).to.deep.equal(statusCounts({ passed: 1, stopped: 1, skipped: 1 }));
    });

    it('is stopped after a stop, also if no test was running', async () => {
      const run = await accepted([aTest()]);
      await expand(run);
      expect(await finish(run, true)).to.deep.equal({ status: 'stopped' });
      expect((await testRuns(run))[0]!.status).to.equal('skipped');
    });

    it('changes nothing when repeated', async () => {
      const run = await accepted([aTest()]);
      await expand(run);
      await verdict((await testRuns(run))[0]!, 'passed');
      await finish(run, false);
      const first = await recorded(run);
      expect(await finish(run, true)).to.deep.equal({ status: 'passed' });
      expect(await recorded(run)).to.deep.equal(first);
    });

    it('ends with a given end when its workflow was lost', async () => {
      const run = await accepted([aTest()]);
      await expand(run);
      const end = { status: 'error', errorCode: 'WORKFLOW_LOST', errorMessage: 'lost' } as const;
      expect(await finish(run, false, { end })).to.deep.equal({ status: 'error' });
      expect(await recorded(run)).to.deep.include({ ...end, counts: statusCounts({ skipped: 1 }) });
      expect((await testRuns(run))[0]!.status).to.equal('skipped');
    });
  });
});
