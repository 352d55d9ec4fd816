import type { RunnerKind } from '#src/domain/targets/runner-types.js';

/** The kinds of tests, in a person's words. */
export const RUNNER_TEXTS: Record<RunnerKind, { name: string; what: string }> = {
  command: {
    name: 'Command',
    what: 'Runs any program: Playwright, pytest, a script. Its exit code and its JUnit results are the verdict.',
  },
  browser: {
    name: 'Browser',
    what: 'Opens pages and does what a person does, step by step, with a picture of where it failed. No code.',
  },
  http: {
    name: 'HTTP',
    what: 'Sends requests to an API and checks status, headers and JSON of each answer. No code.',
  },
};
