import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { ProcessRunner } from '#activities/processes/run-process.js';
import { createBrowserRunner, type BrowserRunnerDeps } from './browser/browser-runner.js';
import { createCommandRunner } from './command.js';
import { createResponseChecker } from './http/response-checker.js';
import { createHttpRunner } from './http/http-runner.js';
import type { Runner } from './runner.js';

/** The runners of a worker. */
export interface Runners {
  of(definition: TestDefinition): Runner;
  /** Releases resources that attempts share. */
  close(): Promise<void>;
}

export function createRunners(deps: { processes: ProcessRunner } & BrowserRunnerDeps): Runners {
  const command = createCommandRunner(deps);
  const byType: Record<TestDefinition['runner'], Runner> = {
    command: command as Runner,
    browser: createBrowserRunner(deps) as Runner,
    http: createHttpRunner({ ...deps, checker: createResponseChecker() }) as Runner,
  };
  return {
    of: ({ runner }) => byType[runner],
    async close() {
      await Promise.all(Object.values(byType).map((runner) => runner.close?.()));
    },
  };
}
