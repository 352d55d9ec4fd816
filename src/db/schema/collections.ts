import type { Collection, Db } from 'mongodb';
import type { ApiToken, AuditEntry, Invitation, Membership, Session, User } from '#src/domain/people/people.js';
import type { Project, Suite, Test, TestRevision, WebhookToken, WorkerRecord } from '#src/domain/records.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import type { Run } from '#src/domain/runs/run.js';
import type { Schedule } from '#src/domain/schedules/schedule.js';
import type { RunStep } from '#src/domain/runs/run-step.js';
import type { TestCase } from '#src/domain/runs/test-case.js';
import type { Pool } from '#src/domain/pool.js';
import type { VariableSet } from '#src/domain/variables/variables.js';
import type { ProjectDay } from '#src/domain/stats/project-day.js';
import type { TargetRecord } from '#src/domain/stats/target-stats.js';
import type {
  ArtifactChunk,
  ArtifactFile,
  ArtifactSpace,
  ChangeNumber,
  InstallationRecord,
  Lease,
  MaintenanceReport,
  RateBucket,
  SignInLimit,
} from './documents.js';

export interface Collections {
  projects: Collection<Project>;
  webhookTokens: Collection<WebhookToken>;
  tests: Collection<Test>;
  testRevisions: Collection<TestRevision>;
  changeNumbers: Collection<ChangeNumber>;
  suites: Collection<Suite>;
  schedules: Collection<Schedule>;
  variableSets: Collection<VariableSet>;
  pools: Collection<Pool>;
  runs: Collection<Run>;
  runLogs: Collection<LogLine>;
  runSteps: Collection<RunStep>;
  runCases: Collection<TestCase>;
  workers: Collection<WorkerRecord>;
  artifactFiles: Collection<ArtifactFile>;
  artifactChunks: Collection<ArtifactChunk>;
  artifactSpace: Collection<ArtifactSpace>;
  installation: Collection<InstallationRecord>;
  maintenance: Collection<MaintenanceReport>;
  targetStats: Collection<TargetRecord>;
  projectDays: Collection<ProjectDay>;
  leases: Collection<Lease>;
  rateBuckets: Collection<RateBucket>;
  users: Collection<User>;
  memberships: Collection<Membership>;
  invitations: Collection<Invitation>;
  sessions: Collection<Session>;
  apiTokens: Collection<ApiToken>;
  audit: Collection<AuditEntry>;
  signInLimits: Collection<SignInLimit>;
}

/** The typed collections of a database. */
export function collectionsOf(db: Db): Collections {
  return {
    projects: db.collection('projects'),
    webhookTokens: db.collection('webhook_tokens'),
    tests: db.collection('tests'),
    testRevisions: db.collection('test_revisions'),
    changeNumbers: db.collection('change_numbers'),
    suites: db.collection('suites'),
    schedules: db.collection('schedules'),
    variableSets: db.collection('profiles'),
    pools: db.collection('pools'),
    runs: db.collection('runs'),
    runLogs: db.collection('run_logs'),
    runSteps: db.collection('run_steps'),
    runCases: db.collection('run_cases'),
    workers: db.collection('workers'),
    artifactFiles: db.collection('artifacts.files'),
    artifactChunks: db.collection('artifacts.chunks'),
    artifactSpace: db.collection('artifact_space'),
    installation: db.collection('installation'),
    maintenance: db.collection('maintenance'),
    targetStats: db.collection('target_stats'),
    projectDays: db.collection('project_days'),
    leases: db.collection('leases'),
    rateBuckets: db.collection('rate_buckets'),
    users: db.collection('users'),
    memberships: db.collection('memberships'),
    invitations: db.collection('invitations'),
    sessions: db.collection('sessions'),
    apiTokens: db.collection('api_tokens'),
    audit: db.collection('audit'),
    signInLimits: db.collection('sign_in_limits'),
  };
}
