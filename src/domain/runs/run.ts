import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import type { IsolationLevel } from './isolation-level.js';
import type { CaseCounts } from './test-case.js';
import type { RunStatus, StatusCounts, TerminalStatus } from './run-status.js';
import type { Variable } from '#src/domain/variables/variables.js';

/** Trigger types of runs that are not test runs of a suite. */
export const STARTERS = ['webhook', 'api', 'cli', 'web', 'schedule'] as const;

export type TriggerType = (typeof STARTERS)[number] | 'suite';

/** Problems that are not results of the test. Shown with the status `error`. */
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

/** How an attempt of a test ended. */
export interface AttemptVerdict {
  status: Extract<TerminalStatus, 'passed' | 'failed' | 'error' | 'stopped'>;
  exitCode?: number;
  errorCode?: ErrorCode;
  /** Why it did not pass; `failed` may have a message without a code. */
  errorMessage?: string;
  cases?: CaseCounts;
  /** Further information for the user, such as missing results. */
  notes?: string[];
  /** For tests from a repository. */
  commit?: string;
  /** Description of the effective limits and how they were enforced. */
  limits?: string;
  /** How its programs were isolated. */
  isolation?: IsolationLevel;
}

/** How a run ends from outside its attempts. */
export interface RunEnd {
  status: TerminalStatus;
  errorCode?: ErrorCode;
  errorMessage?: string;
  /** Why it was skipped. */
  reason?: string;
}

/** A Temporal task that delivers an attempt to a worker. */
export interface AttemptTask {
  /** Run ID of the workflow execution that scheduled it. */
  workflow: string;
  /** Increases with every task of that execution. */
  order: number;
}

/** One attempt as recorded on the run. */
export interface AttemptRecord {
  /** From 1. */
  number: number;
  /** From 1; greater than 1 when a worker was lost and another one ran the attempt again. */
  delivery: number;
  /** Name of the last worker. */
  worker: string;
  /** Task of the last delivery; absent in records of earlier versions. */
  task?: AttemptTask;
  startedAt: Date;
  endedAt?: Date;
  verdict?: AttemptVerdict;
}

/** Outbox entry of a run whose workflow has not been started. */
export interface Dispatch {
  /** End of the lease: a sweep may then claim it. */
  after: Date;
  /** Number of failed starts. */
  attempts: number;
  /** The sweep that claimed it. */
  claim?: string;
}

/** The trigger of a run. `name` is an email, or the name of a project's token. */
export interface TriggeredBy {
  type: TriggerType;
  name?: string;
  userId?: string;
}

export interface RunBase {
  /** UUID; also the workflow ID. */
  _id: string;
  projectId: string;
  targetId: string;
  targetName: string;
  targetRevision: number;
  status: RunStatus;
  /** Increases with every status write; late writes with a lower number are ignored. */
  seq: number;
  dispatch?: Dispatch;
  queuedAt: Date;
  startedAt?: Date;
  endedAt?: Date;
  /** When reconcile first found no workflow of this open run, by the database's clock; absent if it has one. */
  missingSince?: Date;
  modified: Date;
  /** A stop was requested while a worker executed the test. */
  stopRequestedAt?: Date;
  errorCode?: ErrorCode;
  errorMessage?: string;
  /** What a queued run waits for, or why a run was skipped. */
  reason?: string;
  triggeredBy: TriggeredBy;
  expiresAt: Date;
  /** Test runs of a suite use those of their suite run. */
  variables?: Variable[];
  /** The chosen variable set, and its name at the trigger. */
  profileId?: string;
  profileName?: string;
  /** HMAC of the request with an Idempotency-Key (see idempotent-creation.ts). */
  creation?: string;
  /** The run that it repeats, completely or only the tests that did not pass. */
  rerun?: { of: string; onlyFailed?: true };
}

export interface TestRun extends RunBase {
  kind: 'test';
  /** As of the trigger. */
  definition: TestDefinition;
  /** The current attempt, from 1; 0 before the first. */
  attempt: number;
  attempts: AttemptRecord[];
  suiteRunId?: string;
  /** Position in the suite, from 0. */
  position?: number;
}

export interface SuiteRun extends RunBase {
  kind: 'suite';
  /** As of the trigger. */
  definition: SuiteDefinition;
  /** The project's change number at the trigger, which determines the revisions of its tests. Absent in older runs. */
  changeNumber?: number;
  counts?: StatusCounts;
}

export type Run = TestRun | SuiteRun;

/** Runs without large fields. */
export type ListedTest = Omit<TestRun, 'variables' | 'definition'>;
export type ListedSuite = Omit<SuiteRun, 'variables' | 'definition'>;
export type ListedRun = ListedTest | ListedSuite;

/** The response of a webhook. */
export interface RunAnswer {
  id: string;
  modified: string;
  status: RunStatus;
  webapp_url: string;
}

export type CountedSuiteRun = SuiteRun & { counts: StatusCounts };
