import type { TestCase } from '#src/domain/runs/test-case.js';

/** A case of the first delivery of a run's first attempt. @param number from 1 */
export function aCase(runId: string, number: number, some: Partial<TestCase> = {}): TestCase {
  const { attempt = 1, delivery = 1 } = some;
  return {
    _id: `${runId}:${attempt}:${delivery}:${number}`,
    runId,
    attempt,
    delivery,
    number,
    group: 'cart.test.ts',
    name: `case ${number}`,
    status: 'passed',
    durationMs: 12,
    ...some,
  };
}
