import type { TestDefinition } from '../../src/domain/definitions.js';
import type { Attempt } from './runner.js';
import { EXECUTION_MARK, WORKER_MARK } from './proc-scan.js';

/** All that a test gets of the worker's own environment, which holds the service's secrets. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

/**
 * The environment of a test's process: the allow-list, then what the test declares, then the variables of its project
 * and its run, then our own names, which nothing can replace.
 * @param execution unique in its worker; with it leftovers are found
 */
export function testEnvironment(
  definition: TestDefinition,
  attempt: Attempt,
  workerId: string,
  execution: string,
): Record<string, string> {
  const allowed = ALLOWED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(allowed),
    CI: 'true',
    ...definition.env,
    ...attempt.variables,
    RUNHOOK_RUN_ID: attempt.runId,
    RUNHOOK_ATTEMPT: String(attempt.number),
    RUNHOOK_TEST_ID: attempt.testId,
    [WORKER_MARK]: workerId,
    [EXECUTION_MARK]: execution,
  };
}
