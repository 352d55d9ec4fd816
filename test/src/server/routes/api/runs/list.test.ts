import { expect } from 'chai';
import { queryOf, type RunFilter } from '#src/db/runs/list-runs.js';
import { randomId } from '#src/domain/ids.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { runServer, type RunServer } from './run-server.js';

describe('API: lists of runs', () => {
  const NOON = Date.parse('2026-01-02T12:00:00Z');
  const at = (minutes: number) => new Date(NOON + minutes * 60_000);
  let api: RunServer;
  let names: Map<string, string>;
  let target: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    api = await runServer();
    const { projectId, testId } = api;
    const foreign = aTestRun({ targetName: 'foreign', queuedAt: at(9) });
    const suite = aSuiteRun({ projectId, targetName: 'suite', queuedAt: at(4), status: 'running' });
    const test = (targetName: string, minutes: number, some: Partial<TestRun> = {}) =>
      aTestRun({ projectId, targetName, queuedAt: at(minutes), ...some });
    const runs = [
      foreign,
      suite,
      test('first', 1, { status: 'passed', targetId: testId }),
      test('second', 2, { status: 'failed', triggeredBy: { type: 'cli' } }),
      test('third', 3),
      test('of suite', 4, { suiteRunId: suite._id, position: 0, targetId: testId, triggeredBy: { type: 'suite' } }),
    ];
    await api.collections.runs.insertMany(runs);
    names = new Map(runs.map(({ _id, targetName }) => [_id, targetName]));
    target = testId;
  });

  async function list(path: string, headers?: Record<string, string>): Promise<string[]> {
    const { status, body } = await api.call('GET', path, undefined, headers);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.count).to.equal(body.results.length);
    return body.results.map(({ id }: { id: string }) => names.get(id));
  }

  it('contain the runs of the caller’s projects, newest first, without tests of suites', async () => {
    expect(await list('/testruns/')).to.deep.equal(['third', 'second', 'first']);
    expect(await list('/suiteruns/')).to.deep.equal(['suite']);
    expect(await list(`/projects/${api.projectId}/runs/`)).to.deep.equal(['suite', 'third', 'second', 'first']);
    expect(await list('/testruns/', api.stranger.tokenHeaders)).to.deep.equal([]);
  });

  it('are filtered', async () => {
    const expected: [string, string[]][] = [
      ['status=failed', ['second']],
      ['status=failed&status=passed', ['second', 'first']],
      ['trigger=cli', ['second']],
      [`targetId=${target}`, ['of suite', 'first']],
      [`targetId=${target}&status=passed`, ['first']],
      ['since=2026-01-02T12:02:00Z', ['third', 'second']],
      ['until=2026-01-02T12:02:00.000Z', ['second', 'first']],
      [`projectId=${api.projectId}`, ['third', 'second', 'first']],
      [`projectId=${randomId()}`, []],
    ];
    for (const [query, found] of expected) expect(await list(`/testruns/?${query}`), query).to.deep.equal(found);
    expect(await list(`/projects/${api.projectId}/runs/?kind=suite`)).to.deep.equal(['suite']);
  });

  it('are paged', async () => {
    const { body } = await api.call('GET', `/projects/${api.projectId}/runs/?limit=3`);
    expect(body).to.include({ count: 4, previous: null });
    const { pathname, search } = new URL(body.next);
    const next = await api.call('GET', `${pathname.slice('/api/v2'.length)}${search}`);
    expect(next.body.results.map(({ id }: { id: string }) => names.get(id))).to.deep.equal(['first']);
    expect(next.body.next).to.equal(null);
  });

  it('reject invalid filters', async () => {
    for (const query of ['status=green', 'since=yesterday', 'trigger=suite', 'kind=test', 'limit=0', 'cursor=abc'])
      expect((await api.call('GET', `/testruns/?${query}`)).status, query).to.equal(400);
  });

  it('use an index, without a scan or an in-memory sort', async () => {
    const everything: RunFilter = {
      statuses: ['passed', 'failed'],
      triggers: ['webhook', 'cli'],
      since: at(0),
      until: at(60),
    };
    const filters: RunFilter[] = [
      {},
      { kind: 'suite' },
      { projectIds: [api.projectId] },
      { projectIds: [api.projectId, randomId()], kind: 'test' },
      { projectIds: [api.projectId], targetId: target },
      { projectIds: [api.projectId], ...everything },
      { projectIds: [api.projectId], targetId: target, kind: 'test', ...everything },
      { projectIds: Array.from({ length: 40 }, randomId), kind: 'test', statuses: ['failed'] },
      { projectIds: Array.from({ length: 100 }, randomId), kind: 'test', ...everything },
    ];
    for (const expected of filters) {
      const { filter, hint } = queryOf(expected);
      const { queryPlanner } = await api.collections.runs
        .find(filter, { hint })
        .sort({ queuedAt: -1, _id: -1 })
        .limit(51)
        .explain('queryPlanner');
      const plan = JSON.stringify(queryPlanner.winningPlan);
      expect(plan, JSON.stringify(expected)).to.contain('IXSCAN').and.not.to.contain('COLLSCAN');
      expect(plan, JSON.stringify(expected)).not.to.match(/"stage":"SORT"|"stage":"sort"/);
    }
  });

  it('read no other runs for a rare trigger or status', async () => {
    const projectId = randomId();
    const run = (some: Partial<TestRun> = {}) => aTestRun({ projectId, status: 'passed', ...some });
    await api.collections.runs.insertMany([
      ...Array.from({ length: 300 }, () => run()),
      run({ triggeredBy: { type: 'schedule' } }),
      run({ status: 'error' }),
    ]);
    const rare: RunFilter[] = [
      { triggers: ['schedule'] },
      { statuses: ['error'] },
      { triggers: ['web'], kind: 'test' },
    ];
    for (const expected of rare) {
      const { filter, hint } = queryOf({ projectIds: [projectId], ...expected });
      const { executionStats } = await api.collections.runs
        .find(filter, { hint })
        .sort({ queuedAt: -1, _id: -1 })
        .limit(51)
        .explain('executionStats');
      expect(executionStats.totalDocsExamined, JSON.stringify(expected)).to.be.at.most(1);
    }
  });
});
