import type { BrowserSettings } from '#src/domain/browser-test/browser-test.js';
import type { HttpSettings } from '#src/domain/http-test/http-test.js';
import type { GitSource, SetupCommand } from './test-source.js';

/* Definitions of tests and suites after validation: with defaults, and absolute paths. */

/** Resource limits of a test; absent: the worker's own. */
export interface TestLimits {
  /** Memory of all processes together. */
  memoryMiB?: number;
  /** Maximum number of concurrent processes and threads. */
  processes?: number;
  outputMiB?: number;
  /** Growth of the working folder. */
  diskMiB?: number;
}

/** Settings of tests of every runner type. */
export interface CommonSettings {
  /** Absolute working folder on the worker's machine. Absent with `git`; else only a command requires it. */
  cwd?: string;
  /** Repository with the test's files, instead of `cwd`. */
  git?: GitSource;
  /** Runs before the test, in its working folder. */
  setup?: SetupCommand;
  /** Variables of the test, in addition to the runner's allow-list. */
  env: Record<string, string>;
  timeoutMs: number;
  /** Maximum number of additional attempts. */
  retries: number;
  /** The runner pool: a Temporal task queue of workers with the same abilities. */
  pool: string;
  /** Globs of files below the working folder to keep with the run. */
  artifacts?: string[];
  limits?: TestLimits;
}

export interface CommandSettings {
  /** Program and arguments; started without a shell. */
  command: string[];
  /** Where the command writes its results. */
  results?: {
    /** Glob of JUnit XML files below the working folder. */
    junit: string;
  };
}

export type CommandTest = CommonSettings & CommandSettings & { runner: 'command' };
export type BrowserTest = CommonSettings & BrowserSettings & { runner: 'browser' };
export type HttpTest = CommonSettings & HttpSettings & { runner: 'http' };
export type TestDefinition = CommandTest | BrowserTest | HttpTest;

export type OnFailure = 'continue' | 'stop';

/** The effect of a trigger while an earlier run of the same suite is open. */
export type Overlap = 'allow' | 'queue' | 'skip' | 'stop-previous';

/** Temporal's priority key: 1 is highest, 5 lowest. */
export type Priority = 1 | 2 | 3 | 4 | 5;

export interface SuiteDefinition {
  /** Test ids in starting order; a test may occur several times. */
  tests: string[];
  /** Maximum number of concurrent tests. */
  parallelism: number;
  onFailure: OnFailure;
  /** How often failed tests run again after the first pass; the last verdict counts. */
  retryFailed: number;
  /** For the whole suite; absent: no limit. */
  timeoutMs?: number;
  overlap: Overlap;
  /** Overrides the priority of the trigger type. */
  priority?: Priority;
}
