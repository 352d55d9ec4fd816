import { randomId } from '#src/domain/ids.js';
import type { SuiteTest } from '#workflows/messages.js';

/** A listed test run of a suite. */
export function aSuiteTest(some: Partial<SuiteTest> = {}): SuiteTest {
  return {
    runId: randomId(),
    targetId: randomId(),
    name: 'Checkout works',
    position: 0,
    pool: 'default',
    timeoutMs: 60_000,
    retries: 0,
    ...some,
  };
}

/** Several tests of a suite, in order. */
export function suiteTests(count: number): SuiteTest[] {
  return Array.from({ length: count }, (_, position) => aSuiteTest({ name: `Test ${position}`, position }));
}
