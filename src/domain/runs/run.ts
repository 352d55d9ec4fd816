import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import type { CaseCounts } from './test-case.js';
import type { RunStatus, StatusCounts, TerminalStatus } from './run-status.js';
import type { Variable } from '#src/domain/variables/variables.js';

/** What starts a run that is no suite's test. */
export const STARTERS = ['webhook', 'api', 'cli', 'web', 'schedule'] as const;

export type TriggerType = (typeof STARTERS)[number] | 'suite';

/** Trouble that is not the test's. Shown beside the status `error`. */
export type ErrorCode =
  | 'COMMAND_NOT_FOUND'
  | 'TEST_TIMEOUT'
  | 'LIMIT_EXCEEDED'
  | 'SOURCE_FAILED'
  | 'SETUP_FAILED'
  | 'FOLDER_NOT_ALLOWED'
  | 'VARIABLE_MISSING'
  | 'BROWSER_MISSING'
  | 'NETWORK_REFUSED'
  | 'SUITE_TIMEOUT'
  | 'SUITE_EMPTY'
  | 'TEST_MISSING'
  | 'KILLED'
  | 'NO_RUNNER'
  | 'POOL_CLOSED'
  | 'WORKER_LOST'
  | 'NOT_STARTED'
  | 'WORKFLOW_LOST'
  | 'SECRETS_UNREADABLE'
  | 'VARIABLE_SET_MISSING'
  | 'INTERNAL';

/** How one attempt of a test ended. `again` says that another attempt follows. */
export interface AttemptVerdict {
  status: Extract<TerminalStatus, 'passed' | 'failed' | 'error' | 'stopped'>;
  exitCode?: number;
  errorCode?: ErrorCode;
  /** Why it did not pass, in a person's words; `failed` may have one too, without a code. */
  errorMessage?: string;
  /** Of the results that it left. */
  cases?: CaseCounts;
  /** What a person should know beside it, such as results that are missing. */
  notes?: string[];
  /** The commit that it ran on, of a test from a repository. */
  commit?: string;
  /** Limits that were in force and by which means, as they are shown. */
  limits?: string;
}

/** How a run ends from outside its attempts. */
export interface RunEnd {
  status: TerminalStatus;
  errorCode?: ErrorCode;
  errorMessage?: string;
  /** Why it was skipped. */
  reason?: string;
}

/** A task of Temporal's by which an attempt is delivered to a worker. */
export interface AttemptTask {
  /** The execution of the run's workflow that has scheduled it. */
  workflow: string;
  /** Grows with every task of that execution. */
  order: number;
}

/** One attempt as recorded on the run. */
export interface AttemptRecord {
  /** From 1. */
  number: number;
  /** From 1; above 1 when a worker was lost and another ran the attempt again: not an attempt of the test. */
  delivery: number;
  /** Name of the worker that ran it last. */
  worker: string;
  /** By which it was delivered last; absent from records of earlier versions. */
  task?: AttemptTask;
  startedAt: Date;
  endedAt?: Date;
  verdict?: AttemptVerdict;
}

/** While a run's workflow has not been started: the run record is its own outbox. */
export interface Dispatch {
  /** From when on a sweep may claim it. */
  after: Date;
  /** How many starts were tried and failed. */
  attempts: number;
  /** The sweep that holds it. */
  claim?: string;
}

/** What started a run, and who: an email, or the name of a project's token. */
export interface TriggeredBy {
  type: TriggerType;
  name?: string;
  userId?: string;
}

export interface RunBase {
  /** UUID; the workflow ID too. */
  _id: string;
  projectId: string;
  targetId: string;
  targetName: string;
  targetRevision: number;
  status: RunStatus;
  /** Grows with every status write; a write with a lower one is late and is ignored. */
  seq: number;
  dispatch?: Dispatch;
  queuedAt: Date;
  startedAt?: Date;
  endedAt?: Date;
  /** When reconcile first found no workflow of this open run, by the database's clock; absent once it has found one. */
  missingSince?: Date;
  modified: Date;
  /** Its workflow was asked to stop while a worker executed its test. */
  stopRequestedAt?: Date;
  errorCode?: ErrorCode;
  errorMessage?: string;
  /** In a person's words: what a queued run waits for, or why a run was skipped. */
  reason?: string;
  triggeredBy: TriggeredBy;
  expiresAt: Date;
  /** Its own; a suite's tests have those of their suite run. */
  variables?: Variable[];
  /** The variable set that was chosen for it, and its name at the trigger. */
  profileId?: string;
  profileName?: string;
  /** Of what the API was asked for, when there was an Idempotency-Key (see domain/idempotent-creation). */
  creation?: string;
  /** It repeats another run: all of it, or what did not pass there. */
  rerun?: { of: string; onlyFailed?: true };
}

export interface TestRun extends RunBase {
  kind: 'test';
  /** Snapshot taken at the trigger. */
  definition: TestDefinition;
  /** The attempt at hand, from 1; 0 before the first. */
  attempt: number;
  attempts: AttemptRecord[];
  suiteRunId?: string;
  /** Place in the suite, from 0. */
  position?: number;
}

export interface SuiteRun extends RunBase {
  kind: 'suite';
  /** Snapshot taken at the trigger. */
  definition: SuiteDefinition;
  /** The project's change number at the trigger: its tests are taken as of it. Absent of runs of older versions. */
  changeNumber?: number;
  counts?: StatusCounts;
}

export type Run = TestRun | SuiteRun;

/** Runs without what may be large. */
export type ListedTest = Omit<TestRun, 'variables' | 'definition'>;
export type ListedSuite = Omit<SuiteRun, 'variables' | 'definition'>;
export type ListedRun = ListedTest | ListedSuite;

/** The answer of a webhook (spec, section 2). */
export interface RunAnswer {
  id: string;
  modified: string;
  status: RunStatus;
  webapp_url: string;
}

/** A suite run, and how many of its tests have each status. */
export type CountedSuiteRun = SuiteRun & { counts: StatusCounts };
