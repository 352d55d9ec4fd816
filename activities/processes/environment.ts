import type { Attempt } from '#activities/runners/runner.js';

/** All that a test gets of the worker's own environment, which holds the service's secrets. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

/**
 * The environment of a test's process: the allow-list, then the attempt's variables, then our own names, which nothing can
 * replace.
 */
export function testEnvironment(
  attempt: Pick<Attempt, 'runId' | 'testId' | 'number' | 'variables'>,
): Record<string, string> {
  const allowed = ALLOWED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(allowed),
    CI: 'true',
    ...attempt.variables,
    RUNHOOK_RUN_ID: attempt.runId,
    RUNHOOK_ATTEMPT: String(attempt.number),
    RUNHOOK_TEST_ID: attempt.testId,
  };
}
