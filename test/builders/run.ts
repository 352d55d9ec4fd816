import type { CommandTest, SuiteDefinition } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';

/** A test that does nothing. */
export function aTestDefinition(some: Partial<CommandTest> = {}): CommandTest {
  return {
    runner: 'command',
    command: ['true'],
    cwd: '/',
    env: {},
    timeoutMs: 60_000,
    retries: 0,
    pool: 'default',
    ...some,
  };
}

export function aSuiteDefinition(some: Partial<SuiteDefinition> = {}): SuiteDefinition {
  return { tests: [], parallelism: 4, onFailure: 'continue', retryFailed: 0, overlap: 'allow', ...some };
}

/** Fields of a new run of either kind. */
const triggered = () => {
  const now = new Date();
  return {
    _id: randomId(),
    projectId: randomId(),
    targetId: randomId(),
    targetRevision: 1,
    status: 'queued' as const,
    seq: 0,
    queuedAt: now,
    modified: now,
    triggeredBy: { type: 'webhook' as const },
    expiresAt: new Date(now.getTime() + 3_600_000),
  };
};

/** A new test run. */
export function aTestRun(some: Partial<TestRun> = {}): TestRun {
  return {
    ...triggered(),
    kind: 'test',
    targetName: 'Checkout works',
    definition: aTestDefinition(),
    attempt: 0,
    attempts: [],
    ...some,
  };
}

/** A new suite run. */
export function aSuiteRun(some: Partial<SuiteRun> = {}): SuiteRun {
  return { ...triggered(), kind: 'suite', targetName: 'Smoke', definition: aSuiteDefinition(), ...some };
}
