import { expect } from 'chai';
import { pino } from 'pino';
import type { Collections } from '#src/db/schema/collections.js';
import { createLeaseStore } from '#src/db/instance/lease-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createRemovedProjectStore, markRemovedProjects } from '#src/db/projects/removed-project-store.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import { randomId } from '#src/domain/ids.js';
import type { Project } from '#src/domain/records.js';
import type { Run } from '#src/domain/runs/run.js';
import {
  createRemovedRunsPass,
  stopRemovedRuns,
  type RemovedRunsDeps,
} from '#src/services/projects/stop-removed-runs.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

const log = pino({ level: 'silent' });

describe('stop runs of deleted projects', () => {
  let collections: Collections;
  let project: Project;
  let job: string;
  /** Runs whose workflow was canceled. */
  let canceled: string[];
  let isTemporalDown: boolean;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });

  beforeEach(async () => {
    // Ignores deleted projects of other tests.
    await collections.projects.updateMany({}, { $unset: { stopRunsSince: '' } });
    [job, canceled, isTemporalDown] = [randomId(), [], false];
    const id = randomId();
    const stored = { _id: id, name: 'Shop', createdAt: new Date(), revision: 1 };
    ({ document: project } = await createProjectStore(collections).insert(stored));
  });

  const deps = (some: Partial<RemovedRunsDeps> = {}): RemovedRunsDeps => ({
    removed: createRemovedProjectStore(collections),
    statuses: createRunStatusStore(collections.runs),
    async cancel(runId) {
      if (isTemporalDown) throw new Error('Temporal is unavailable');
      canceled.push(runId);
      return true;
    },
    lease: createLeaseStore(collections, job, 'one'),
    log,
    ...some,
  });
  const look = (some: Partial<RemovedRunsDeps> = {}) => createRemovedRunsPass(deps(some))();
  const remove = () => createProjectStore(collections).archive(project);
  const restore = () => createProjectStore(collections).replace(project, { name: 'Shop' });
  const statusOf = async ({ _id }: Run) => (await collections.runs.findOne({ _id }))!.status;
  const isMarked = async () => (await collections.projects.findOne({ _id: project._id }))!.stopRunsSince !== undefined;

  const pending = () => aTestRun({ projectId: project._id, dispatch: { after: new Date(), attempts: 0 } });
  const running = () => aTestRun({ projectId: project._id, status: 'running', startedAt: new Date() });
  async function given<T extends Run>(...runs: T[]): Promise<T[]> {
    await collections.runs.insertMany(runs);
    return runs;
  }

  it('stops pending runs at once, others by their workflows, and tests of suites with their suite', async () => {
    const suite = aSuiteRun({ projectId: project._id, status: 'running', startedAt: new Date() });
    const ofSuite = { ...running(), suiteRunId: suite._id, position: 0, triggeredBy: { type: 'suite' as const } };
    const [waiting, begun, ended, foreign] = await given<Run>(
      pending(),
      running(),
      { ...running(), status: 'passed', endedAt: new Date() },
      { ...running(), projectId: randomId() },
      suite,
      ofSuite,
    );
    expect(await look()).to.equal(false);
    expect(await statusOf(waiting!), 'of a project that is not removed').to.equal('queued');
    await remove();
    expect(await look()).to.equal(true);
    expect(await statusOf(waiting!)).to.equal('stopped');
    expect(canceled.sort()).to.deep.equal([begun!._id, suite._id].sort());
    expect([await statusOf(ended!), await statusOf(foreign!)]).to.deep.equal(['passed', 'running']);
  });

  it('ends runs that never began and have no workflow as stopped', async () => {
    const [waiting] = await given(aTestRun({ projectId: project._id }));
    await remove();
    await look({ cancel: async () => false });
    expect(await statusOf(waiting!)).to.equal('stopped');
  });

  it('stops pending runs while Temporal is down, and the others once it is up', async () => {
    const [waiting, begun] = await given(pending(), running());
    await remove();
    isTemporalDown = true;
    const error = await look().then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(error).to.equal('Temporal is unavailable');
    expect([await statusOf(waiting!), await statusOf(begun!)]).to.deep.equal(['stopped', 'running']);
    isTemporalDown = false;
    await look();
    expect(canceled).to.deep.equal([begun!._id]);
  });

  it('stops all others when one workflow cannot be canceled', async () => {
    const begun = await given(...Array.from({ length: 30 }, running));
    await remove();
    const cancel = async (runId: string) => {
      if (runId === begun[0]!._id) throw new Error('refused');
      return canceled.push(runId) > 0;
    };
    const error = await look({ cancel }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect([error, canceled.length]).to.deep.equal(['refused', 29]);
  });

  it('stops any number of runs in batches', async () => {
    await given(...Array.from({ length: 1100 }, pending), ...Array.from({ length: 90 }, running));
    await remove();
    await look();
    const { runs } = collections;
    expect(await runs.countDocuments({ projectId: project._id, status: 'stopped' })).to.equal(1100);
    expect(new Set(canceled).size).to.equal(90);
  }).timeout(30_000);

  it('stops no more runs once the project is restored', async () => {
    await given(...Array.from({ length: 60 }, running));
    await remove();
    const restoring = deps();
    const cancel = async (runId: string) => {
      if (canceled.push(runId) === 20) await restore();
      return true;
    };
    await look({ ...restoring, cancel });
    expect(canceled.length, 'one batch').to.equal(20);
    const [later] = await given(pending());
    await look();
    expect([await statusOf(later!), canceled.length, await isMarked()]).to.deep.equal(['queued', 20, false]);
  });

  it('does not stop runs that were listed before a restore and updated after it', async () => {
    const [waiting] = await given(pending());
    await remove();
    const { removed } = deps();
    const [project] = await removed.list();
    await restore();
    expect(await removed.stopPending(project!)).to.equal(0);
    expect(await statusOf(waiting!)).to.equal('queued');
  });

  it('checks a project until concurrent triggers have inserted their runs and none is open', async () => {
    await remove();
    await look();
    expect(await isMarked(), 'just removed').to.equal(true);
    const [late] = await given(running());
    await look({ settledMs: 0 });
    expect([canceled, await isMarked()]).to.deep.equal([[late!._id], true]);
    await collections.runs.updateOne({ _id: late!._id }, { $set: { status: 'stopped', endedAt: new Date() } });
    await look({ settledMs: 0 });
    expect(await isMarked()).to.equal(false);
  });

  it('runs on one server at a time, and on another when that one stops', async () => {
    await given(running());
    await remove();
    const first = stopRemovedRuns(deps());
    await eventually(() => canceled.length > 0 || undefined);
    const seen = canceled.length;
    const other = { lease: createLeaseStore(collections, job, 'other') };
    await look(other);
    expect(canceled.length).to.equal(seen);
    await first.stop();
    await look(other);
    expect(canceled.length).to.equal(seen + 1);
  });

  it('stops runs that an earlier version left open, after the next set-up', async () => {
    const [begun] = await given(running());
    const archivedAt = new Date();
    const finished = randomId();
    await collections.projects.updateOne({ _id: project._id }, { $set: { archivedAt } });
    await collections.projects.insertOne({ ...project, _id: finished, slug: finished, archivedAt });
    await markRemovedProjects(collections);
    expect(await isMarked()).to.equal(true);
    expect(await collections.projects.findOne({ _id: finished })).not.to.have.property('stopRunsSince');
    await look();
    expect(canceled).to.include(begun!._id);
  });
});
