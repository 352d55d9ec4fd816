import type { Collection, Db } from 'mongodb';
import type { Project, Suite, Test, TestRevision, WebhookToken, WorkerRecord } from '../domain/records.js';
import type { LogLine } from '../domain/log-line.js';
import type { Run } from '../domain/run.js';
import type { ArtifactChunk, ArtifactFile } from './artifacts.js';
import type { MaintenanceReport } from './maintenance.js';

export interface Collections {
  projects: Collection<Project>;
  webhookTokens: Collection<WebhookToken>;
  tests: Collection<Test>;
  testRevisions: Collection<TestRevision>;
  suites: Collection<Suite>;
  runs: Collection<Run>;
  runLogs: Collection<LogLine>;
  workers: Collection<WorkerRecord>;
  artifactFiles: Collection<ArtifactFile>;
  artifactChunks: Collection<ArtifactChunk>;
  maintenance: Collection<MaintenanceReport>;
}

/** The typed collections of a database. */
export function collectionsOf(db: Db): Collections {
  return {
    projects: db.collection('projects'),
    webhookTokens: db.collection('webhook_tokens'),
    tests: db.collection('tests'),
    testRevisions: db.collection('test_revisions'),
    suites: db.collection('suites'),
    runs: db.collection('runs'),
    runLogs: db.collection('run_logs'),
    workers: db.collection('workers'),
    artifactFiles: db.collection('artifacts.files'),
    artifactChunks: db.collection('artifacts.chunks'),
    maintenance: db.collection('maintenance'),
  };
}
