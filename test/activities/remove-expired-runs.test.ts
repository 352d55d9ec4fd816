import { expect } from 'chai';
import { Binary, GridFSBucket, ObjectId, type Db } from 'mongodb';
import { createRetentionActivities, type RetentionResult } from '#activities/remove-expired-runs.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createExpiredRunStore } from '#src/db/runs/expired-run-store.js';
import { createOrphanedChunks } from '#src/db/artifacts/orphaned-chunks.js';
import { createProjectRetentionStore, DAY_MS } from '#src/db/projects/project-retention-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { updateProject } from '#src/db/projects/update-project.js';
import { insertRunCases } from '#src/db/runs/run-cases.js';
import type { Clock } from '#src/domain/clock.js';
import { randomId } from '#src/domain/ids.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import type { Run, TestRun } from '#src/domain/runs/run.js';
import { failAfter, KilledError } from '#test/builders/fail-after.js';
import { aCase } from '#test/builders/case.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { activityEnvironment } from './activity-environment.js';

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

describe('removeExpired', () => {
  let collections: Collections;
  let db: Db;
  let clock: Clock;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections, clock, db } = await testDatabase());
  });
  beforeEach(async () => {
    for (const name of ['runs', 'runLogs', 'projects', 'artifactFiles', 'artifactChunks'] as const)
      await collections[name].deleteMany({});
  });

  async function removeExpired(over = collections): Promise<RetentionResult & { reported: object[] }> {
    const reported: object[] = [];
    const { removeExpired: activity } = createRetentionActivities({
      expired: createExpiredRunStore(over, clock),
      projects: createProjectRetentionStore(over),
      retentionMs: 10 * DAY_MS,
      report: async (pass) => void reported.push(pass),
      log: () => {},
    });
    const result = (await activityEnvironment().run(activity)) as RetentionResult;
    return { ...result, reported };
  }

  const expired = (some: Partial<TestRun> = {}) => aTestRun({ status: 'passed', expiresAt: ago(0.001), ...some });
  async function onRecord<R extends Run>(run: R, lines = 3): Promise<R> {
    await collections.runs.insertOne(run);
    const logLines = Array.from({ length: lines }, (_, seq): LogLine => {
      return {
        _id: `${run._id}:1:1:${seq}`,
        runId: run._id,
        attempt: 1,
        delivery: 1,
        seq,
        at: new Date(),
        stream: 'stdout',
        text: 'x',
      };
    });
    if (lines > 0) await collections.runLogs.insertMany(logLines);
    return run;
  }
  async function withFile({ _id }: Run): Promise<void> {
    const upload = new GridFSBucket(db, { bucketName: 'artifacts' }).openUploadStream('a.png', {
      metadata: { runId: _id },
    });
    await new Promise((resolve, reject) => upload.on('error', reject).on('finish', resolve).end(Buffer.alloc(600_000)));
  }
  const existingOf = async (...runs: Run[]) =>
    Promise.all(runs.map(async ({ _id }) => (await collections.runs.countDocuments({ _id })) === 1));
  const linesOf = ({ _id }: Run) => collections.runLogs.countDocuments({ runId: _id });

  it('deletes expired runs with their logs and files, and no others', async () => {
    const [gone, stays] = [await onRecord(expired(), 5005), await onRecord(expired({ expiresAt: ago(-1) }))];
    await Promise.all([gone, stays].map(withFile));
    const casesOf = ({ _id }: Run) => collections.runCases.countDocuments({ runId: _id });
    for (const { _id } of [gone, stays])
      await insertRunCases(
        collections,
        Array.from({ length: 20 }, (_, index) => aCase(_id, index + 1)),
      );
    const { runs, reported } = await removeExpired();
    expect(runs).to.equal(1);
    expect(reported[0]).to.deep.include({ counts: { runs: 1, followed: 0 }, succeeded: true });
    expect(await existingOf(gone, stays)).to.deep.equal([false, true]);
    expect([await linesOf(gone), await linesOf(stays)]).to.deep.equal([0, 3]);
    expect([await casesOf(gone), await casesOf(stays)]).to.deep.equal([0, 20]);
    const files = await collections.artifactFiles.find().toArray();
    expect(files.map(({ metadata }) => metadata.runId)).to.deep.equal([stays._id]);
    expect(await collections.artifactChunks.distinct('files_id')).to.deep.equal(files.map(({ _id }) => _id));
  });

  it('deletes any number of steps in batches', async () => {
    const run = await onRecord(expired());
    const steps = Array.from({ length: 10_001 }, (_, number) => ({ _id: `${run._id}:1:1:${number}`, runId: run._id }));
    await collections.runSteps.insertMany(steps as never);
    const deletes: number[] = [];
    const runSteps = new Proxy(collections.runSteps, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (property !== 'deleteMany') return typeof value === 'function' ? value.bind(target) : value;
        return async (filter: object) => {
          const { deletedCount } = await target.deleteMany(filter);
          deletes.push(deletedCount);
        };
      },
    });
    await removeExpired({ ...collections, runSteps });
    expect(await collections.runSteps.countDocuments({ runId: run._id })).to.equal(0);
    expect(Math.max(...deletes)).to.be.at.most(5000);
  });

  it('deletes content that belongs to no file in parts, and nothing else', async () => {
    const stays = await onRecord(expired({ expiresAt: ago(-1) }));
    await withFile(stays);
    const orphaned = Array.from({ length: 6 }, () => new ObjectId());
    await collections.artifactChunks.insertMany(
      orphaned.flatMap((files_id) =>
        Array.from({ length: 25 }, (_, n) => ({
          _id: new ObjectId(),
          files_id,
          n,
          data: new Binary(Buffer.from('x')),
        })),
      ),
    );
    const chunks = () => collections.artifactChunks.distinct('files_id');
    const some = createOrphanedChunks(collections, { page: 30, pages: 1 });
    const removed = [await some.remove(async () => {}), await some.remove(async () => {})];
    expect(removed[0]).to.be.within(1, 2);
    await removeExpired();
    const [file] = await collections.artifactFiles.find().toArray();
    expect(await chunks()).to.deep.equal([file!._id]);
    expect(await collections.artifactChunks.countDocuments()).to.equal(Math.ceil(file!.length / file!.chunkSize));
  });

  it('never deletes an open run, or tests of an open suite', async () => {
    const suite = await onRecord(aSuiteRun({ status: 'running', expiresAt: ago(1) }));
    const runs = [
      suite,
      await onRecord(expired({ suiteRunId: suite._id, position: 0 })),
      await onRecord(expired({ status: 'running' })),
      await onRecord(expired({ status: 'queued' })),
      await onRecord(expired({ status: 'auto_retrying' })),
    ];
    expect((await removeExpired()).runs).to.equal(0);
    expect(await existingOf(...runs)).to.deep.equal([true, true, true, true, true]);
  });

  it('deletes a suite together with its tests, regardless of the tests’ own expiry', async () => {
    const [going, staying] = [
      await onRecord(aSuiteRun({ status: 'failed', expiresAt: ago(1) })),
      await onRecord(aSuiteRun({ status: 'failed', expiresAt: ago(-1) })),
    ];
    const tests = await Promise.all(
      [going, staying].map((suite) =>
        onRecord(expired({ suiteRunId: suite._id, position: 0, expiresAt: ago(suite === going ? -1 : 1) })),
      ),
    );
    const open = await onRecord(aSuiteRun({ status: 'failed', expiresAt: ago(1) }));
    await onRecord(expired({ suiteRunId: open._id, position: 0, status: 'running' }));
    const orphan = await onRecord(expired({ suiteRunId: randomId(), position: 0 }));
    expect((await removeExpired()).runs).to.equal(3);
    expect(await existingOf(going, tests[0]!, staying, tests[1]!, open, orphan)).to.deep.equal([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(await linesOf(tests[0]!)).to.equal(0);
  });

  it('processes more runs than one batch', async () => {
    await collections.runs.insertMany(Array.from({ length: 250 }, () => expired()));
    expect((await removeExpired()).runs).to.equal(250);
  });

  it('leaves no log, file or test without its run when killed at any point, and the next pass deletes the rest', async () => {
    const suite = await onRecord(aSuiteRun({ status: 'passed', expiresAt: ago(1) }));
    for (const position of [0, 1]) await withFile(await onRecord(expired({ suiteRunId: suite._id, position })));
    for (let last = 0; ; last++) {
      const error = await removeExpired(failAfter(collections, last, ['deleteMany', 'deleteOne'])).catch(
        (e: unknown) => e,
      );
      const ids = new Set(await collections.runs.distinct('_id'));
      const owners = [
        ...(await collections.runLogs.distinct('runId')),
        ...(await collections.artifactFiles.distinct('metadata.runId')),
        ...(await collections.runs.distinct('suiteRunId', { suiteRunId: { $exists: true } })),
      ];
      expect(
        owners.filter((id) => !ids.has(id as string)),
        `after ${last} deletes`,
      ).to.deep.equal([]);
      const files = await collections.artifactFiles.distinct('_id');
      expect(await collections.artifactChunks.countDocuments({ files_id: { $nin: files } })).to.equal(0);
      if (!(error instanceof Error)) break;
      expect(error).to.be.instanceOf(KilledError);
    }
    expect(await collections.runs.countDocuments()).to.equal(0);
  });

  describe('when a project’s retention changes', () => {
    const project = { id: randomId(), name: 'Days' };
    beforeEach(() =>
      createProjectStore(collections).insert({
        _id: project.id,
        name: project.name,
        revision: 1,
        createdAt: clock.now(),
      }),
    );
    const put = (retentionDays?: number) =>
      updateProject(createProjectStore(collections), {
        ...project,
        ...(retentionDays === undefined ? {} : { retentionDays }),
      });
    /** As if every server had the new value. */
    const aMinuteLater = () =>
      collections.projects.updateOne(
        { _id: project.id, retentionChangedAt: { $exists: true } },
        { $set: { retentionChangedAt: ago(0.01) } },
      );
    const triggered = (days: number, keptDays: number) =>
      expired({ projectId: project.id, queuedAt: ago(days), expiresAt: ago(days - keptDays) });
    const kept = async ({ _id }: Run) => {
      const { expiresAt, queuedAt } = (await collections.runs.findOne({ _id }))!;
      // The two were computed one after the other: they can differ by a millisecond.
      return Math.round((expiresAt.getTime() - queuedAt.getTime()) / 1000) / (DAY_MS / 1000);
    };

    it('updates its runs, and no others', async () => {
      await put(5);
      const [old, young, other] = [
        await onRecord(triggered(6, 10)),
        await onRecord(triggered(4, 10)),
        await onRecord(expired({ queuedAt: ago(6), expiresAt: ago(-4) })),
      ];
      await aMinuteLater();
      expect(await removeExpired()).to.include({ runs: 1, followed: 2 });
      expect(await existingOf(old, young, other)).to.deep.equal([false, true, true]);
      expect([await kept(young), await kept(other)]).to.deep.equal([5, 10]);
      expect(await removeExpired(), 'once').to.include({ runs: 0, followed: 0 });
    });

    it('deletes nothing after an extension before its runs are updated', async () => {
      await put(20);
      const run = await onRecord(triggered(11, 10));
      expect(await removeExpired()).to.include({ runs: 0, followed: 0 });
      await aMinuteLater();
      expect(await removeExpired()).to.include({ runs: 0, followed: 1 });
      expect(await kept(run)).to.equal(20);
    });

    it('applies the default after a removal; the same value again changes nothing', async () => {
      await put(20);
      await aMinuteLater();
      await removeExpired();
      await put(20);
      expect(await collections.projects.findOne({ _id: project.id })).not.to.have.property('retentionChangedAt');
      const run = await onRecord(triggered(1, 20));
      await put();
      await aMinuteLater();
      expect(await removeExpired()).to.include({ followed: 1 });
      expect(await kept(run)).to.equal(10);
      expect(await collections.projects.findOne({ _id: project.id })).not.to.have.property('retentionDays');
    });
  });
});
