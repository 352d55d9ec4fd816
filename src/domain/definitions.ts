/** What a test and a suite are made of, after validation: every default is filled in, every path is absolute. */

export interface CommandSettings {
  /** Program and arguments; started without a shell. */
  command: string[];
  /** Absolute working folder on the worker's machine. */
  cwd: string;
  /** What the test declares beside the allow-list of the runner. */
  env: Record<string, string>;
}

export interface TestDefinition extends CommandSettings {
  runner: 'command';
  timeoutMs: number;
  /** How many more attempts an unsuccessful one is followed by. */
  retries: number;
  /** The runner pool: a Temporal task queue of workers with the same abilities. */
  pool: string;
}

export type OnFailure = 'continue' | 'stop';

export interface SuiteDefinition {
  /** Ids of the suite's tests, in the order in which they start; the same test may stand in it twice. */
  tests: string[];
  /** How many of its tests run at the same time at most. */
  parallelism: number;
  onFailure: OnFailure;
}
