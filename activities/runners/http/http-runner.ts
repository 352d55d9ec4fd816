import type { HttpTest } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import { VariableMissingError } from '#activities/fill-in.js';
import { NetworkRefusedError, type NetworkGuard } from '#activities/network/network-guard.js';
import type { Runner } from '#activities/runners/runner.js';
import type { ResponseChecker } from './response-checker.js';
import { createRequestRunner } from './run-request.js';

/** Sends a test's requests in order and checks the responses; the first failure ends the test. */
export function createHttpRunner(deps: { guard: NetworkGuard; checker: ResponseChecker }): Runner<HttpTest> {
  return {
    async run(definition, attempt) {
      if (attempt.signal.aborted) return { status: 'stopped' };
      const requests = createRequestRunner(deps, definition, attempt);
      try {
        for (const [index, request] of definition.requests.entries()) {
          const failure = await requests.run(request, index + 1);
          if (failure === undefined) continue;
          await requests.skip(definition.requests.slice(index + 1));
          return { status: 'failed', errorMessage: failure };
        }
        return { status: 'passed' };
      } catch (error) {
        if (attempt.signal.aborted) return { status: 'stopped' };
        return verdictOf(error);
      } finally {
        await requests.close();
      }
    },
    close: () => deps.checker.close(),
  };
}

/** @throws errors that the test did not cause */
function verdictOf(error: unknown): AttemptVerdict {
  if (error instanceof VariableMissingError)
    return { status: 'error', errorCode: 'VARIABLE_MISSING', errorMessage: error.message };
  if (error instanceof NetworkRefusedError)
    return { status: 'error', errorCode: 'NETWORK_REFUSED', errorMessage: error.message };
  throw error;
}
