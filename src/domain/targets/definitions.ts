import type { BrowserSettings } from '#src/domain/browser-test/browser-test.js';
import type { HttpSettings } from '#src/domain/http-test/http-test.js';
import type { GitSource, SetupCommand } from './test-source.js';

/** What a test and a suite are made of, after validation: every default is filled in, every path is absolute. */

/** Bounds for what a test uses; absent, the worker's own. */
export interface TestLimits {
  /** Of all its processes together. */
  memoryMiB?: number;
  /** Processes and threads at the same time. */
  processes?: number;
  /** What it prints, in all. */
  outputMiB?: number;
  /** How much its working folder may grow. */
  diskMiB?: number;
}

/** What tests of every kind have. */
export interface CommonSettings {
  /** Absolute working folder on the worker's machine. Absent with `git`; else only a command needs one. */
  cwd?: string;
  /** Where its files come from, in place of `cwd`. */
  git?: GitSource;
  /** Runs before the test, in its working folder. */
  setup?: SetupCommand;
  /** What the test declares beside the allow-list of the runner. */
  env: Record<string, string>;
  timeoutMs: number;
  /** How many more attempts an unsuccessful one is followed by. */
  retries: number;
  /** The runner pool: a Temporal task queue of workers with the same abilities. */
  pool: string;
  /** Globs of files below the working folder that are kept with the run. */
  artifacts?: string[];
  limits?: TestLimits;
}

export interface CommandSettings {
  /** Program and arguments; started without a shell. */
  command: string[];
  /** Where the command leaves its results. */
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
