import { HOME_INSIDE, TMP_INSIDE } from '#activities/isolation/sandbox.js';
import type { Attempt } from '#activities/runners/runner.js';

/** The only variables of the worker's environment that tests receive; the environment holds the service's secrets. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

/**
 * The environment of a test's process: allowed variables of the worker, then those of the attempt, then Runhook's own,
 * which cannot be overridden.
 */
export function testEnvironment(
  attempt: Pick<Attempt, 'runId' | 'testId' | 'number' | 'variables' | 'sandbox'>,
): Record<string, string> {
  const allowed = ALLOWED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(allowed),
    ...(attempt.sandbox && { HOME: HOME_INSIDE, TMPDIR: TMP_INSIDE }),
    CI: 'true',
    ...attempt.variables,
    RUNHOOK_RUN_ID: attempt.runId,
    RUNHOOK_ATTEMPT: String(attempt.number),
    RUNHOOK_TEST_ID: attempt.testId,
  };
}
