import type { SuiteDefinition, TestDefinition } from './targets/definitions.js';
import type { OwnLimits } from './limits.js';

/** The documents of the collections that hold definitions (see db/, one file a collection). */

export interface Project {
  _id: string;
  name: string;
  slug: string;
  createdAt: Date;
  /** How long its runs are kept; absent, as the servers are told. */
  retentionDays?: number;
  /** Set while the runs on record do not follow the days yet. */
  retentionChangedAt?: Date;
  /** From 1, up by one with every change. */
  revision: number;
  /** User id; its first owner. */
  createdBy?: string;
  /** See db/insert-once.ts. */
  creation?: string;
  /** The import that created it; absent: created without a project file, or imported before its ids were random. */
  origin?: ProjectOrigin;
  /** From here on it is nowhere to be seen; its runs stay until their retention. */
  archivedAt?: Date;
  /** Set at its removal, by the database's clock, until none of its runs is open. */
  stopRunsSince?: Date;
  /** Where it differs from the instance. */
  limits?: OwnLimits;
}

export interface ProjectOrigin {
  /** `setup`: `runhook setup` or `npm start`; `user <id>`: an import of this person. */
  by: string;
  /** The name in its file, by which the same importer finds it again; unique for each importer. Absent: by its id only. */
  name?: string;
}

export interface WebhookToken {
  /** SHA-256 of the token. */
  _id: string;
  projectId: string;
  /** From 1, unique in the project: of two that make its next token at once, one fails. */
  number: number;
  /** AES-256-GCM copy, so that members can see the URL again. */
  encrypted: string;
  createdAt: Date;
  /** From here on it opens nothing. */
  expiresAt?: Date;
  /** Addresses and CIDR blocks from which it opens something; absent, from everywhere. */
  allowedNetworks?: string[];
  revokedAt?: Date;
  /** Written now and then. */
  lastUsedAt?: Date;
  /** The call that made it: the same call again makes no other. */
  madeBy?: { key: string; keepOldForHours: number };
}

/** What a project's file describes: a test, a suite or a schedule. */
export interface ProjectItem<Definition extends object> {
  _id: string;
  projectId: string;
  name: string;
  definition: Definition;
  /** From 1, up by one with every change. */
  revision: number;
  modifiedAt: Date;
  archivedAt?: Date;
  /** See db/insert-once.ts. */
  creation?: string;
  /**
   * Of a test: the project's change number of the change that made this revision (see db/change-numbers.ts); absent of
   * older ones.
   */
  changeNumber?: number;
  /** Of a test: the project's change number when it was archived. */
  archivedAtChange?: number;
}

export type Test = ProjectItem<TestDefinition>;
export type Suite = ProjectItem<SuiteDefinition>;
/** What can be run. */
export type Target = Test | Suite;

/**
 * A superseded or current state of a test, kept so that a suite run that is expanded late (Temporal was down)
 * still works on the definitions of the moment of its trigger.
 */
export interface TestRevision {
  /** `<test id>:<revision>`. */
  _id: string;
  testId: string;
  name: string;
  definition: TestDefinition;
  revision: number;
  /** From when on it was the current one. */
  modifiedAt: Date;
  /** As of the test. */
  changeNumber?: number;
}

/** A worker process and when it was last seen, by the database's clock. */
export interface WorkerRecord {
  /** Random UUID of the process. */
  _id: string;
  host: string;
  pid: number;
  /** Runner pools that it serves. */
  pools: string[];
  /** Whether it runs workflows. */
  workflows: boolean;
  /** Tests of each pool that it runs at the same time at most. */
  slots: number;
  /** By which means it holds its tests to limits, as it is shown: `cgroup v2`. Absent of older workers, and without pools. */
  limits?: string;
  /** Of a versioned worker. */
  buildId?: string;
  startedAt: Date;
  seenAt: Date;
  /** From here on it takes no new work. */
  stoppedAt?: Date;
}
