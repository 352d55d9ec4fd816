import { expect } from 'chai';
import { createOpenRunCounter } from '#src/db/runs/count-open-runs.js';
import type { Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import { createOpenRunLimit } from '#src/services/limits/open-run-limit.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

describe('limit of open runs', () => {
  let collections: Collections;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });

  const openRun = (projectId: string) => collections.runs.insertOne(aTestRun({ projectId }));

  /** A server that triggers: admits, then records. @returns whether the run was admitted */
  function server(projectId: string) {
    let counts = 0;
    const count = createOpenRunCounter(collections);
    const limit = createOpenRunLimit(projectId, (...about) => {
      counts++;
      return count(...about);
    });
    return {
      counts: () => counts,
      async trigger(most: number) {
        if (!(await limit.admit(most))) return false;
        await openRun(projectId);
        limit.end(true);
        return true;
      },
      limit,
    };
  }

  it('is never exceeded by one server under concurrent triggers', async () => {
    const projectId = randomId();
    const { trigger } = server(projectId);
    for (let n = 0; n < 10; n++) await openRun(projectId);
    const let_ = await Promise.all(Array.from({ length: 100 }, () => trigger(40)));
    expect(let_.filter(Boolean)).to.have.length(30);
    expect(await trigger(40)).to.equal(false);
  });

  it('is shared by two servers', async () => {
    const projectId = randomId();
    const servers = [server(projectId), server(projectId)];
    let through = 0;
    for (let n = 0; n < 60; n++) if (await servers[n % 2]!.trigger(40)) through++;
    expect(through).to.equal(40);
  });

  it('admits runs again when others have ended', async () => {
    const projectId = randomId();
    const { trigger } = server(projectId);
    while (await trigger(5));
    await collections.runs.updateOne({ projectId }, { $set: { status: 'passed' } });
    await eventually(async () => (await trigger(5)) || undefined);
    expect(await trigger(5)).to.equal(false);
  });

  it('counts rarely far below the limit', async () => {
    const { trigger, counts } = server(randomId());
    for (let n = 0; n < 100; n++) await trigger(10_000);
    expect(counts()).to.be.lessThan(5);
  });

  it('does not count runs that were not started', async () => {
    const { limit } = server(randomId());
    for (let n = 0; n < 20; n++) {
      expect(await limit.admit(3)).to.equal(true);
      limit.end(false);
    }
  });

  it('counts with a covered query', async () => {
    const projectId = randomId();
    await openRun(projectId);
    const plan = await collections.runs
      .find({ projectId, status: { $in: ['queued', 'running', 'auto_retrying'] } }, { hint: 'open_of_project' })
      .project({ _id: 0, projectId: 1 })
      .explain('executionStats');
    expect(JSON.stringify(plan)).to.contain('"totalDocsExamined":0');
  });
});
