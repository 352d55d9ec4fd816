import type { SuiteDefinition, TestDefinition } from './targets/definitions.js';
import type { OwnLimits } from './limits.js';
import type { IsolationLevel } from './runs/isolation-level.js';

/* Documents of projects, their tests, suites and tokens, and of workers. */

export interface Project {
  _id: string;
  name: string;
  slug: string;
  createdAt: Date;
  /** How long its runs are kept; absent: the servers' default. */
  retentionDays?: number;
  /** Set until the new retention is applied to existing runs. */
  retentionChangedAt?: Date;
  /** From 1, incremented by every change. */
  revision: number;
  /** User id of the first owner. */
  createdBy?: string;
  /** See insert-once.ts. */
  creation?: string;
  /** The import that created it; absent: created without a project file, or imported before its ids were random. */
  origin?: ProjectOrigin;
  /** The project is hidden; its runs stay until their retention ends. */
  archivedAt?: Date;
  /** Time of its removal by the database's clock, until none of its runs is open. */
  stopRunsSince?: Date;
  /** Limits that differ from those of the instance. */
  limits?: OwnLimits;
}

export interface ProjectOrigin {
  /** `setup`: `runhook setup` or `npm start`; `user <id>`: an import of this person. */
  by: string;
  /** The name in the file, unique per importer, by which the importer finds it. Absent: found by id only. */
  name?: string;
}

export interface WebhookToken {
  /** SHA-256 of the token. */
  _id: string;
  projectId: string;
  /** From 1, unique in the project, so that one of two concurrent creations fails. */
  number: number;
  /** AES-256-GCM copy, so that members can see the URL again. */
  encrypted: string;
  createdAt: Date;
  expiresAt?: Date;
  /** Addresses and CIDR blocks from which it can be used; absent: any. */
  allowedNetworks?: string[];
  revokedAt?: Date;
  /** Updated at most once a minute. */
  lastUsedAt?: Date;
  /** The request that created it, to recognize a repeat. */
  madeBy?: { key: string; keepOldForHours: number };
}

/** A test, a suite or a schedule. */
export interface ProjectItem<Definition extends object> {
  _id: string;
  projectId: string;
  name: string;
  definition: Definition;
  /** From 1, incremented by every change. */
  revision: number;
  modifiedAt: Date;
  archivedAt?: Date;
  /** See insert-once.ts. */
  creation?: string;
  /** For tests: the project's change number of this revision (see change-numbers.ts); absent in older ones. */
  changeNumber?: number;
  /** For tests: the project's change number when it was archived. */
  archivedAtChange?: number;
}

export type Test = ProjectItem<TestDefinition>;
export type Suite = ProjectItem<SuiteDefinition>;
export type Target = Test | Suite;

/** A state of a test, kept so that a suite run uses the definitions as of its trigger even if it starts late. */
export interface TestRevision {
  /** `<test id>:<revision>`. */
  _id: string;
  testId: string;
  name: string;
  definition: TestDefinition;
  revision: number;
  /** When it became the current state. */
  modifiedAt: Date;
  changeNumber?: number;
}

/** A worker process. Times by the database's clock. */
export interface WorkerRecord {
  /** Random UUID of the process. */
  _id: string;
  host: string;
  pid: number;
  /** Runner pools that it serves. */
  pools: string[];
  /** Whether it runs workflows. */
  workflows: boolean;
  /** Maximum number of concurrent tests per pool. */
  slots: number;
  /** How it enforces limits of tests, such as `cgroup v2`. Absent for older workers, and without pools. */
  limits?: string;
  /** How it isolates commands of tests. Absent for workers without pools and of earlier versions. */
  isolation?: IsolationLevel;
  /** For versioned workers. */
  buildId?: string;
  startedAt: Date;
  seenAt: Date;
  /** Since then it accepts no new work. */
  stoppedAt?: Date;
}
