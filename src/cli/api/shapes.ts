import type { Role, Scope } from '../../domain/rights.js';
import type { RunStatus, StatusCounts } from '../../domain/run-status.js';
import type { CaseCounts, CaseStatus } from '../../domain/test-case.js';

/** The API's answers, as far as the command uses them. */

export interface Page<T> {
  count: number;
  next: string | null;
  results: T[];
}

export interface Me {
  type: 'person' | 'project';
  userId: string | null;
  projectId: string | null;
  /** Of a person. */
  email: string | null;
  name: string;
  isAdmin: boolean;
  scopes: Scope[];
  csrfToken: string | null;
}

export interface ProjectView {
  id: string;
  name: string;
  slug: string;
  role?: Role | 'admin' | null;
}

export type TargetKind = 'test' | 'suite';

export interface TargetView {
  id: string;
  projectId: string;
  name: string;
  archived: boolean;
  modified: string;
  /** Of a test. */
  runner?: string;
  pool?: string;
  /** Of a suite: ids. */
  tests?: string[];
}

export interface ProfileView {
  id: string;
  name: string;
  isDefault: boolean;
}

export interface ArtifactView {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  type: string;
  attempt: number | null;
  sha256: string | null;
}

export interface RunView {
  id: string;
  kind: TargetKind;
  projectId: string;
  name: string;
  status: RunStatus;
  queued: string;
  started: string | null;
  ended: string | null;
  /** Seconds. */
  duration: number | null;
  modified: string;
  errorCode: string | null;
  errorMessage: string | null;
  reason?: string | null;
  triggeredBy: { type: string; name?: string | null };
  profileName?: string | null;
  webappUrl: string;
  /** Of a test run. */
  attempt?: number;
  /** Of its results. */
  cases?: CaseCounts | null;
  suiteRunId?: string | null;
  position?: number | null;
  /** Of a suite run. */
  counts?: Partial<StatusCounts> | null;
  /** The first 1,000. */
  testRuns?: RunView[];
}

export interface CaseView {
  group: string;
  name: string;
  status: CaseStatus;
  /** Seconds. */
  duration: number | null;
  message: string | null;
  details: string | null;
  output: string | null;
}

export interface LogPage {
  results: { cursor: string | number; at: string; attempt: number; stream: string; text: string }[];
  next: string | number | null;
  ended: boolean;
}

export interface ImportAnswer {
  /** Absent, as the ids of the changes, in a dry run that would create the project. */
  projectId?: string;
  name: string;
  dryRun: boolean;
  changes: {
    kind: 'project' | 'test' | 'suite' | 'schedule';
    id?: string;
    name: string;
    change: 'create' | 'update' | 'archive' | 'restore';
    fields?: string[];
  }[];
  unchanged: number;
}

export interface WebhookTokenView {
  number: number;
  token?: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  testUrl?: string | null;
  suiteUrl?: string | null;
}

export interface ApiTokenView {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt?: string | null;
  lastUsedAt: string | null;
  /** At its making only, and only the first time. */
  token?: string | null;
}

export interface ScheduleView {
  id: string;
  name: string;
  testId: string | null;
  suiteId: string | null;
  cron: string;
  timeZone: string;
  paused: boolean;
  catchUpMs: number;
  nextTimes: string[];
  /** Why Temporal does not accept it. Earlier servers do not have this. */
  problem?: string | null;
  lastFired: { at: string; runId: string | null; refusedBecause: string | null } | null;
}
