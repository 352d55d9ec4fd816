import { expect } from 'chai';
import { createOpenRunCounter, createWaitingRunCounter } from '#src/db/runs/count-open-runs.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createRateBuckets } from '#src/db/instance/rate-buckets.js';
import { TooManyError } from '#src/domain/errors.js';
import { randomId } from '#src/domain/ids.js';
import { DEFAULT_LIMITS, effectiveLimits } from '#src/domain/limits.js';
import { createTriggerLimiter } from '#src/services/limits/trigger-limiter.js';
import { aSuiteRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

describe('limit of waiting runs of a suite', () => {
  const MOST = 7;
  let collections: Collections;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });

  /** A server that triggers a suite: admits, then records. `trigger` returns the rejection, if any. */
  function server(projectId: string, serialSuiteId: string | undefined) {
    let counts = 0;
    const countWaiting = createWaitingRunCounter(collections);
    const limiter = createTriggerLimiter({
      buckets: createRateBuckets(collections),
      countOpen: createOpenRunCounter(collections),
      countWaiting: (...about) => {
        counts++;
        return countWaiting(...about);
      },
      limitsOf: () => effectiveLimits(DEFAULT_LIMITS, { waitingSuiteRuns: MOST }),
    });
    return {
      counts: () => counts,
      async trigger(): Promise<TooManyError | undefined> {
        try {
          const permit = await limiter.admit({ projectId, serialSuiteId });
          await collections.runs.insertOne(aSuiteRun({ projectId, targetId: serialSuiteId ?? randomId() }));
          permit.end(true);
          return undefined;
        } catch (error) {
          if (error instanceof TooManyError) return error;
          throw error;
        }
      },
    };
  }

  const waiting = (suiteId: string) => collections.runs.countDocuments({ targetId: suiteId, status: 'queued' });

  it('rejects triggers beyond it, states it, and admits them again when runs have begun', async () => {
    const suiteId = randomId();
    const { trigger } = server(randomId(), suiteId);
    const answers = await Promise.all(Array.from({ length: 40 }, trigger));
    expect(answers.filter((refused) => !refused)).to.have.length(MOST);
    const refusal = answers.find((refused) => refused)!;
    expect(refusal.message).to.include(`limit of ${MOST} waiting runs`);
    expect(refusal.retryAfterSeconds).to.be.greaterThan(0);
    await collections.runs.updateMany({ targetId: suiteId }, { $set: { status: 'running' } });
    await eventually(async () => (await trigger()) === undefined || undefined);
    expect(await waiting(suiteId)).to.equal(1);
  });

  it('is exceeded at most by the triggers in progress on another server', async () => {
    const suiteId = randomId();
    const servers = [1, 2].map(() => server(randomId(), suiteId));
    for (let round = 0; round < 20; round++) await Promise.all(servers.map(({ trigger }) => trigger()));
    expect(await waiting(suiteId)).to.be.within(MOST, MOST + 1);
  });

  it('applies to each suite separately, and not to suites whose runs may overlap', async () => {
    const projectId = randomId();
    const allowed = server(projectId, undefined);
    for (let n = 0; n < MOST + 3; n++) expect(await allowed.trigger()).to.equal(undefined);
    expect(allowed.counts()).to.equal(0);
    expect(await server(projectId, randomId()).trigger()).to.equal(undefined);
  });

  it('counts with a covered query', async () => {
    const suiteId = randomId();
    await collections.runs.insertOne(aSuiteRun({ targetId: suiteId }));
    const plan = await collections.runs
      .find({ targetId: suiteId, status: 'queued' }, { hint: 'listed_of_target' })
      .project({ _id: 0, targetId: 1 })
      .explain('executionStats');
    expect(JSON.stringify(plan)).to.contain('"totalDocsExamined":0');
  });
});
