import type { TestDefinition } from '../../src/domain/definitions.js';
import type { NetworkGuard } from '../network/guard.js';
import type { ProcessRunner } from '../processes/run-process.js';
import { createCommandRunner } from './command.js';
import { createAnswerChecker } from './http/answer-checker.js';
import { createHttpRunner } from './http/http-runner.js';
import type { Runner } from './runner.js';

/** The runners of a worker. */
export interface Runners {
  of(definition: TestDefinition): Runner;
  /** Gives back what attempts share. */
  close(): Promise<void>;
}

export function createRunners(deps: { processes: ProcessRunner; guard: NetworkGuard }): Runners {
  const command = createCommandRunner(deps);
  const notYet: Runner = {
    run: async () => ({ status: 'error', errorCode: 'INTERNAL', errorMessage: 'This runner is not there yet.' }),
  };
  const byKind: Record<TestDefinition['runner'], Runner> = {
    command: command as Runner,
    browser: notYet,
    http: createHttpRunner({ ...deps, checker: createAnswerChecker() }) as Runner,
  };
  return {
    of: ({ runner }) => byKind[runner],
    async close() {
      await Promise.all(Object.values(byKind).map((runner) => runner.close?.()));
    },
  };
}
