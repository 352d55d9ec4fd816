import { expect } from 'chai';
import { insertLogLines } from '#src/db/runs/run-logs.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { createLogFollower } from '#src/services/runs/follow-log.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { runServer, type RunServer } from './run-server.js';

describe('API: log of a test run', () => {
  let api: RunServer;
  let runId: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    api = await runServer();
  });
  beforeEach(async () => {
    const run = aTestRun({ projectId: api.projectId, status: 'running', startedAt: new Date() });
    await api.collections.runs.insertOne(run);
    runId = run._id;
    api.isDraining = false;
  });

  const write = (attempt: number, delivery: number, ...seqs: number[]) =>
    insertLogLines(
      api.collections.runLogs,
      seqs.map((seq): LogLine => {
        const _id = `${runId}:${attempt}:${delivery}:${seq}`;
        return { _id, runId, attempt, delivery, seq, at: new Date(), stream: 'stdout', text: `line ${seq}` };
      }),
    );
  const end = () => createRunStatusStore(api.collections.runs).endRun(runId, { status: 'passed' });
  const read = async (query = '') => (await api.call('GET', `/testruns/${runId}/logs/${query}`)).body;
  const cursors = (body: { results: { cursor: string }[] }) => body.results.map(({ cursor }) => cursor);

  it('returns lines in order, over attempts and deliveries, in parts', async () => {
    await write(1, 2, 1, 2);
    await write(2, 1, 1, 2, 10);
    await write(1, 1, 1);
    const first = await read('?limit=4');
    expect(cursors(first)).to.deep.equal(['1.1.1', '1.2.1', '1.2.2', '2.1.1']);
    expect(first).to.include({ next: '2.1.1', ended: false });
    expect(first.results[0]).to.include({ attempt: 1, stream: 'stdout', text: 'line 1' });
    await end();
    const rest = await read(`?after=${first.next}`);
    expect(cursors(rest)).to.deep.equal(['2.1.2', '2.1.10']);
    expect(rest).to.include({ next: '2.1.10', ended: true });
    expect(await read('?after=2.1.10')).to.deep.equal({ results: [], next: '2.1.10', ended: true });
    expect(await read('?limit=6')).to.include({ ended: true });
    expect(await read('?limit=5')).to.include({ ended: false });
  });

  it('is empty at first, and rejects a malformed cursor', async () => {
    expect(await read()).to.deep.equal({ results: [], next: null, ended: false });
    expect((await read('?after=1.2')).statusCode).to.equal(400);
  });

  it('does not wait while the server shuts down', async () => {
    const following = read('?follow=true');
    api.isDraining = true;
    expect(await following).to.deep.equal({ results: [], next: null, ended: false });
  });

  describe('with follow', () => {
    const line = { attempt: 1, delivery: 1, seq: 2 } as LogLine;
    const request = { runId: 'run', limit: 10, follow: true };

    /** The lines of each read. */
    function follower(looks: { status: RunStatus; lines: LogLine[] }[]) {
      let look = -1;
      return createLogFollower({
        statusOf: async () => looks[++look]!.status,
        lines: async () => ({ lines: looks[look]!.lines, isLonger: false }),
        isDraining: () => false,
      });
    }
    const nothing = { status: 'running' as const, lines: [] };

    it('waits for the first line', async () => {
      const follow = follower([nothing, { status: 'running', lines: [line] }]);
      expect(await follow(request, new AbortController().signal)).to.deep.equal({ lines: [line], ended: false });
    });

    it('waits for the end of the run', async () => {
      const follow = follower([nothing, { status: 'passed', lines: [] }]);
      expect(await follow(request, new AbortController().signal)).to.deep.equal({ lines: [], ended: true });
    });

    it('does not wait for a disconnected client', async () => {
      const gone = new AbortController();
      const waiting = follower([nothing, nothing])(request, gone.signal);
      gone.abort();
      expect(await waiting).to.deep.equal({ lines: [], ended: false });
    });
  });
});
