import type { Db } from 'mongodb';
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

export type Collections = ReturnType<typeof collectionsOf>;

/** The typed collections of a database. */
export function collectionsOf(db: Db) {
  return {
    projects: db.collection<Project>('projects'),
    webhookTokens: db.collection<WebhookToken>('webhook_tokens'),
    tests: db.collection<Test>('tests'),
    testRevisions: db.collection<TestRevision>('test_revisions'),
    changeNumbers: db.collection<ChangeNumber>('change_numbers'),
    suites: db.collection<Suite>('suites'),
    schedules: db.collection<Schedule>('schedules'),
    variableSets: db.collection<VariableSet>('profiles'),
    pools: db.collection<Pool>('pools'),
    runs: db.collection<Run>('runs'),
    runLogs: db.collection<LogLine>('run_logs'),
    runSteps: db.collection<RunStep>('run_steps'),
    runCases: db.collection<TestCase>('run_cases'),
    workers: db.collection<WorkerRecord>('workers'),
    artifactFiles: db.collection<ArtifactFile>('artifacts.files'),
    artifactChunks: db.collection<ArtifactChunk>('artifacts.chunks'),
    artifactSpace: db.collection<ArtifactSpace>('artifact_space'),
    installation: db.collection<InstallationRecord>('installation'),
    maintenance: db.collection<MaintenanceReport>('maintenance'),
    targetStats: db.collection<TargetRecord>('target_stats'),
    projectDays: db.collection<ProjectDay>('project_days'),
    leases: db.collection<Lease>('leases'),
    rateBuckets: db.collection<RateBucket>('rate_buckets'),
    users: db.collection<User>('users'),
    memberships: db.collection<Membership>('memberships'),
    invitations: db.collection<Invitation>('invitations'),
    sessions: db.collection<Session>('sessions'),
    apiTokens: db.collection<ApiToken>('api_tokens'),
    audit: db.collection<AuditEntry>('audit'),
    signInLimits: db.collection<SignInLimit>('sign_in_limits'),
  };
}
