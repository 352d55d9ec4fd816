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

/** What a trigger does while an earlier run of the same suite is not over. */
export type Overlap = 'allow' | 'queue' | 'skip' | 'stop-previous';

/** Temporal's priority key: 1 goes first, 5 last. */
export type Priority = 1 | 2 | 3 | 4 | 5;

export interface SuiteDefinition {
  /** Ids of the suite's tests, in the order in which they start; the same test may stand in it twice. */
  tests: string[];
  /** How many of its tests run at the same time at most. */
  parallelism: number;
  onFailure: OnFailure;
  /** How often failed tests run again after the first pass at most; the last verdict counts. */
  retryFailed: number;
  /** From the suite's begin to its end; none, no limit. */
  timeoutMs?: number;
  overlap: Overlap;
  /** In place of the priority that goes with the kind of trigger. */
  priority?: Priority;
}
