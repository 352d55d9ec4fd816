import type { SuiteDefinition } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import { statusCounts } from '#src/domain/runs/run-status.js';
import type { Run, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import type { Evidence } from '#test/chaos/evidence.js';
import { knownSuiteRun, knownTestRun, type KnownTestRun } from '#test/chaos/load/known-runs.js';
import type { Attempt, Call } from '#test/chaos/load/load.js';
import { aSuiteDefinition, aSuiteRun, aTestRun } from './run.js';

const AT = Date.parse('2026-08-02T10:00:00.000Z');

/** A test run that ended as expected. */
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

/** A suite run that ended as expected, with its tests; it took a second, after those with lower numbers. */
function anEndedSuite(
  targetName: string,
  number: number,
  definition: Partial<SuiteDefinition>,
): [SuiteRun, ...TestRun[]] {
  const { status, tests } = knownSuiteRun(targetName)!;
  const counts = statusCounts();
  for (const test of tests) counts[test.status]++;
  const suite = aSuiteRun({
    targetName,
    targetId: `id of ${targetName}`,
    definition: aSuiteDefinition(definition),
    status,
    counts,
    seq: 2,
    startedAt: new Date(AT + 1000 * number),
    endedAt: new Date(AT + 1000 * (number + 1)),
  });
  return [
    suite,
    ...tests.map((known, position) => anEndedTestRun(`of ${targetName}`, known, { suiteRunId: suite._id, position })),
  ];
}

export function anAttempt(some: Partial<Attempt> = {}): Attempt {
  return { server: 'server-1', at: AT, ms: 20, status: 200, ...some };
}

/** Evidence of a harness run without violations. */
export function evidence(): Evidence {
  const tests = ['Flaky', 'Hangs'].map((name) => anEndedTestRun(name, knownTestRun(name)!));
  const suites = [
    anEndedSuite('Goes on', 0, {}),
    anEndedSuite('Stops', 0, { onFailure: 'stop' }),
    anEndedSuite('Second pass', 0, { retryFailed: 1 }),
    anEndedSuite('One at a time', 0, { overlap: 'queue' }),
    anEndedSuite('One at a time', 1, { overlap: 'queue' }),
  ];
  const runs: Run[] = [...tests, ...suites.flat()];
  const call = (run: Run): Call => ({
    kind: run.kind === 'test' ? 'tests' : 'suites',
    name: run.targetName,
    attempts: [anAttempt({ status: 503 }), anAttempt({ id: run._id })],
  });
  const ids = (of: Run[]) => Object.fromEntries(of.map(({ targetName, targetId }) => [targetName, targetId]));
  return {
    project: {
      projectId: 'project',
      name: 'Chaos',
      webhookToken: 'token',
      tests: ids(tests),
      suites: ids(suites.map(([suite]) => suite)),
    },
    calls: [...tests, ...suites.map(([suite]) => suite)].map(call),
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
