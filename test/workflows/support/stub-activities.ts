import { Context } from '@temporalio/activity';
import type { ExecuteTestActivities } from '#activities/execute-test.js';
import type { RunRecordActivities } from '#activities/run-records.js';
import type { PoolActivities } from '#activities/pools.js';
import type { SuiteLineActivities } from '#activities/suite-line.js';
import type { SuiteActivities } from '#activities/suite-expansion.js';
import type { SuiteTest } from '#workflows/messages.js';

export type Activities = ExecuteTestActivities &
  RunRecordActivities &
  PoolActivities &
  SuiteActivities &
  SuiteLineActivities;

type Name = keyof Activities;
type Input<N extends Name> = Parameters<Activities[N]>[0];

/** All activity calls, in order. */
export interface Journal {
  entries: { activity: Name; phase: 'begins' | 'ends'; input: unknown }[];
  /** The inputs of an activity, call by call. */
  inputs<N extends Name>(activity: N): Input<N>[];
}

/** Activities without a database or processes. By default, tests pass and suites have no tests. */
export function stubActivities(some: Partial<Activities> = {}): { activities: Activities; journal: Journal } {
  const entries: Journal['entries'] = [];
  const journaled = <I, O>(activity: Name, act: (input: I) => Promise<O>) => {
    return async (input: I): Promise<O> => {
      entries.push({ activity, phase: 'begins', input });
      try {
        return await act(input);
      } finally {
        entries.push({ activity, phase: 'ends', input });
      }
    };
  };
  const all: Activities = {
    executeTest: async () => ({ status: 'passed' }),
    recordEnd: async ({ status }) => ({ status }),
    noteStop: async () => {},
    findRunner: async () => ({ alive: true }),
    isUntaken: async () => true,
    joinLine: async () => {},
    endedRuns: async () => [],
    ...suiteOf([]),
    ...some,
  };
  return {
    activities: {
      executeTest: journaled('executeTest', all.executeTest),
      recordEnd: journaled('recordEnd', all.recordEnd),
      noteStop: journaled('noteStop', all.noteStop),
      expandSuite: journaled('expandSuite', all.expandSuite),
      findRunner: journaled('findRunner', all.findRunner),
      isUntaken: journaled('isUntaken', all.isUntaken),
      joinLine: journaled('joinLine', all.joinLine),
      endedRuns: journaled('endedRuns', all.endedRuns),
      listSuiteTests: journaled('listSuiteTests', all.listSuiteTests),
      finishSuite: journaled('finishSuite', all.finishSuite),
    },
    journal: {
      entries,
      inputs: <N extends Name>(activity: N) =>
        entries
          .filter((one) => one.activity === activity && one.phase === 'begins')
          .map((one) => one.input as Input<N>),
    },
  };
}

/** A suite of these tests. `finishSuite` returns `stopped` or `passed`. */
export function suiteOf(tests: SuiteTest[]): Pick<Activities, 'expandSuite' | 'listSuiteTests' | 'finishSuite'> {
  return {
    expandSuite: async () => ({ total: tests.length, over: false }),
    listSuiteTests: async ({ from, limit }) => tests.slice(from, from + limit),
    finishSuite: async ({ stopped, timedOutAfterMs }) => ({
      status: stopped ? 'stopped' : timedOutAfterMs ? 'error' : 'passed',
    }),
  };
}

/** Inside an activity: rejects when it is canceled. Sends heartbeats, which deliver the cancellation. */
export async function untilCancelled(): Promise<never> {
  const { heartbeat, cancelled } = Context.current();
  heartbeat();
  const beat = setInterval(() => Context.current().heartbeat(), 50);
  try {
    return await cancelled;
  } finally {
    clearInterval(beat);
  }
}
