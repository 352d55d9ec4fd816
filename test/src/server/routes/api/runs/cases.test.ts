import { expect } from 'chai';
import { insertRunCases } from '#src/db/runs/run-cases.js';
import { aCase } from '#test/builders/case.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { runServer, type RunServer } from './run-server.js';

const counts = { passed: 2, failed: 1, error: 1, skipped: 0 };

describe('API: cases of a test run', () => {
  let api: RunServer;
  let runId: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    api = await runServer();
  });

  /** A run with two attempts; the first was delivered twice. */
  beforeEach(async () => {
    const begun = { worker: 'w', startedAt: new Date() };
    const run = aTestRun({
      projectId: api.projectId,
      status: 'failed',
      attempts: [
        { ...begun, number: 1, delivery: 2, verdict: { status: 'failed', cases: { ...counts, passed: 0, error: 0 } } },
        { ...begun, number: 2, delivery: 1, verdict: { status: 'failed', cases: counts } },
      ],
    });
    runId = run._id;
    await api.collections.runs.insertOne(run);
    const second = (number: number, some: Parameters<typeof aCase>[2]) => aCase(runId, number, { attempt: 2, ...some });
    const cases = [
      aCase(runId, 1, { name: 'of a lost worker' }),
      aCase(runId, 1, { delivery: 2, status: 'failed', name: 'of the first attempt' }),
      second(1, {}),
      second(2, { status: 'failed', message: 'Expected 2', details: 'Expected 2\n  at cart.test.ts:3' }),
      second(3, { durationMs: 1500, output: 'printed' }),
      second(4, { status: 'error' }),
    ];
    await insertRunCases(api.collections, cases.slice(0, 4));
    // Repeated, like after a lost response.
    await insertRunCases(api.collections, cases);
  });

  const read = async (query = '') => (await api.call('GET', `/testruns/${runId}/cases/${query}`)).body;
  const names = (body: { results: { name: string }[] }) => body.results.map(({ name }) => name);

  it('lists those of the last attempt, errors and failures first', async () => {
    const { results, count } = await read();
    expect(count).to.equal(4);
    expect(results.map(({ number }: { number: number }) => number)).to.deep.equal([4, 2, 1, 3]);
    expect(results[1]).to.deep.equal({
      attempt: 2,
      number: 2,
      group: 'cart.test.ts',
      name: 'case 2',
      status: 'failed',
      duration: 0.012,
      message: 'Expected 2',
      details: 'Expected 2\n  at cart.test.ts:3',
      output: null,
    });
    expect(results[3]).to.include({ duration: 1.5, output: 'printed' });
  });

  it('are paged in both directions', async () => {
    const first = await read('?limit=3');
    expect(names(first)).to.deep.equal(['case 4', 'case 2', 'case 1']);
    const path = (address: string) => new URL(address).search;
    const second = await read(path(first.next));
    expect(names(second)).to.deep.equal(['case 3']);
    expect(second.next).to.equal(null);
    expect(names(await read(path(second.previous)))).to.deep.equal(names(first));
  });

  it('are filtered by status and attempt', async () => {
    expect(names(await read('?status=failed'))).to.deep.equal(['case 2']);
    expect(names(await read('?status=failed&status=error'))).to.deep.equal(['case 4', 'case 2']);
    expect(names(await read('?attempt=1'))).to.deep.equal(['of the first attempt']);
    expect(await read('?attempt=3')).to.deep.equal({ count: 0, next: null, previous: null, results: [] });
    expect((await read('?status=stopped')).statusCode).to.equal(400);
  });

  it('are counted on the run, with null without results', async () => {
    expect((await api.call('GET', `/testruns/${runId}/`)).body.cases).to.deep.equal(counts);
    const without = aTestRun({ projectId: api.projectId });
    await api.collections.runs.insertOne(without);
    expect((await api.call('GET', `/testruns/${without._id}/`)).body.cases).to.equal(null);
    expect((await api.call('GET', `/testruns/${without._id}/cases/`)).body.results).to.deep.equal([]);
  });
});
