import { expect } from 'chai';
import { insertRunSteps } from '#src/db/runs/run-steps.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { runServer, type RunServer } from './run-server.js';

describe('API: steps of a test run', () => {
  let api: RunServer;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    api = await runServer();
  });

  it('returns those of the last attempt or of a given one; none for a command', async () => {
    const startedAt = new Date('2026-08-02T12:00:00Z');
    const begun = { worker: 'w', startedAt, delivery: 1 };
    const run = aTestRun({
      projectId: api.projectId,
      status: 'failed',
      definition: { runner: 'http', requests: [{ url: '/' }], env: {}, timeoutMs: 1, retries: 1, pool: 'default' },
      attempts: [
        { ...begun, number: 1, verdict: { status: 'failed', commit: 'c0ffee', limits: '64 processes', notes: ['!'] } },
        { ...begun, number: 2 },
      ],
    });
    const command = aTestRun({ projectId: api.projectId });
    await api.collections.runs.insertMany([run, command]);
    const step = { runId: run._id, delivery: 1, number: 1, depth: 0, startedAt, durationMs: 1500 };
    await insertRunSteps(api.collections, [
      { ...step, _id: `${run._id}:1`, attempt: 1, title: 'GET /', status: 'failed', message: 'no', details: ['a'] },
      { ...step, _id: `${run._id}:2`, attempt: 2, title: 'GET /', status: 'passed', screenshot: 's/1.png' },
    ]);
    const read = async (id: string, query = '') => (await api.call('GET', `/testruns/${id}/steps/${query}`)).body;
    const shown = { number: 1, depth: 0, title: 'GET /', started: startedAt.toISOString(), duration: 1.5 };
    expect(await read(run._id)).to.eql({
      results: [{ ...shown, attempt: 2, status: 'passed', message: null, details: [], screenshot: 's/1.png' }],
    });
    expect(await read(run._id, '?attempt=1')).to.eql({
      results: [{ ...shown, attempt: 1, status: 'failed', message: 'no', details: ['a'], screenshot: null }],
    });
    expect(await read(command._id)).to.eql({ results: [] });
    const { attempts } = (await api.call('GET', `/testruns/${run._id}/`)).body;
    expect(attempts[0]).to.deep.include({ commit: 'c0ffee', limits: '64 processes', notes: ['!'] });
    expect(attempts[1]).to.deep.include({ commit: null, limits: null, notes: [] });
  });
});
