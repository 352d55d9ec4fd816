import { randomId } from '../../src/domain/ids.js';
import { statusCounts } from '../../src/domain/run-status.js';
import type { Run, SuiteRun, TestRun } from '../../src/domain/run.js';
import type { Evidence } from '../chaos/evidence.js';
import { knownSuiteRun, knownTestRun, type KnownTestRun } from '../chaos/known-runs.js';
import type { Attempt, Call } from '../chaos/load.js';
import { aSuiteRun, aTestRun } from './run.js';

const AT = Date.parse('2026-08-02T10:00:00.000Z');

/** A test run that ended as it must. */
export function anEndedTestRun(targetName: string, known: KnownTestRun, some: Partial<TestRun> = {}): TestRun {
  const { status, errorCode, attempts } = known;
  return aTestRun({
    targetName,
    targetId: `id of ${targetName}`,
    status,
    ...(errorCode ? { errorCode } : {}),
    seq: 1_000_012,
    attempts: attempts.map((verdict, index) => ({
      number: index + 1,
      delivery: 1,
      worker: 'worker',
      startedAt: new Date(AT),
      endedAt: new Date(AT),
      verdict: { status: verdict as 'passed' },
    })),
    ...some,
  });
}

/** A suite run that ended as it must, with its tests. */
function anEndedSuite(targetName: string): [SuiteRun, ...TestRun[]] {
  const { status, tests } = knownSuiteRun(targetName)!;
  const counts = statusCounts();
  for (const test of tests) counts[test.status]++;
  const suite = aSuiteRun({ targetName, targetId: `id of ${targetName}`, status, counts, seq: 2 });
  return [
    suite,
    ...tests.map((known, position) => anEndedTestRun('of a suite', known, { suiteRunId: suite._id, position })),
  ];
}

export function anAttempt(some: Partial<Attempt> = {}): Attempt {
  return { server: 'server-1', at: AT, ms: 20, status: 200, ...some };
}

/** What a run of the harness leaves in which every promise was kept: two tests and two suites. */
export function evidence(): Evidence {
  const [flaky, hangs] = ['Flaky', 'Hangs'].map((name) => anEndedTestRun(name, knownTestRun(name)!));
  const [goesOn, stops] = ['Goes on', 'Stops'].map(anEndedSuite);
  const runs: Run[] = [flaky!, hangs!, ...goesOn!, ...stops!];
  const call = (run: Run, kind: Call['kind']): Call => ({
    kind,
    name: run.targetName,
    attempts: [anAttempt({ status: 503 }), anAttempt({ id: run._id })],
  });
  return {
    project: {
      projectId: 'project',
      name: 'Chaos',
      webhookToken: 'token',
      tests: { Flaky: 'id of Flaky', Hangs: 'id of Hangs' },
      suites: { 'Goes on': 'id of Goes on', Stops: 'id of Stops' },
    },
    calls: [call(flaky!, 'tests'), call(hangs!, 'tests'), call(goesOn![0], 'suites'), call(stops![0], 'suites')],
    runs,
    histories: new Map(
      runs.map((run) => [
        run._id,
        [
          { at: AT, status: 'queued' as const, seq: 0, modified: run.modified.getTime() - 9 },
          { at: AT, status: run.status, seq: run.seq, modified: run.modified.getTime() },
        ],
      ]),
    ),
    workflows: runs
      .filter(({ status }) => status !== 'skipped')
      .map(({ _id }) => ({ workflowId: _id, runId: randomId(), status: 'COMPLETED' })),
    faults: [
      {
        fault: { number: 1, kind: 'kill-server', target: 'server-2', atMs: 0, lengthMs: 1000, delayMs: 50 },
        firedAtMs: 5,
        healedAtMs: 1000,
      },
    ],
    outages: [{ name: 'server-2', from: AT, to: AT + 1000 }],
    crashes: [],
    leftovers: [],
  };
}
