import type { Collection, IndexDescription } from 'mongodb';
import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import { STORED_OF_PROJECT } from '#src/db/artifacts/artifact-space.js';
import { buildIndexes, indexesToBuild, nameOf } from './build-indexes.js';
import type { Collections } from './collections.js';
import { OPEN_OF_PROJECT } from '#src/db/runs/count-open-runs.js';
import { ARCHIVED, NAMES_OF_PROJECT } from '#src/db/targets/live-targets.js';
import { CASES_OF_RUN } from '#src/db/runs/run-cases.js';
import { QUEUE_OF_POOL } from '#src/db/pools/pool-queues.js';
import { recordPools } from '#src/db/pools/pool-store.js';
import { markRemovedProjects } from '#src/db/projects/removed-project-store.js';
import { markSetupProjects } from './setup-projects.js';

type IndexTable = { [Name in keyof Collections]: IndexDescription[] };

const archived: IndexDescription = {
  key: { projectId: 1, _id: 1 },
  partialFilterExpression: { archivedAt: { $exists: true } },
  name: ARCHIVED,
};

/** Every index, with the queries that need it. */
const indexes: IndexTable = {
  projects: [
    { key: { slug: 1 }, unique: true },
    { key: { name: 1, _id: 1 } },
    // Concurrent imports of a file create one project.
    {
      key: { 'origin.by': 1, 'origin.name': 1 },
      partialFilterExpression: { 'origin.name': { $exists: true } },
      unique: true,
      name: 'origin_of_project',
    },
    // Removed projects whose runs are being stopped.
    {
      key: { stopRunsSince: 1 },
      partialFilterExpression: { stopRunsSince: { $exists: true } },
      name: 'stopping_runs',
    },
  ],
  // Unique: concurrent imports create one token.
  webhookTokens: [{ key: { projectId: 1, number: 1 }, unique: true }],
  // Lists by name; archived tests, which statistics leave out.
  tests: [{ key: NAMES_OF_PROJECT }, archived],
  // Tests as of a change number or, for runs of older versions, as of a time.
  testRevisions: [{ key: { testId: 1, revision: -1, changeNumber: 1 } }, { key: { testId: 1, modifiedAt: -1 } }],
  changeNumbers: [],
  suites: [{ key: NAMES_OF_PROJECT }, archived],
  schedules: [{ key: { projectId: 1, name: 1, _id: 1 } }, archived],
  variableSets: [
    { key: { projectId: 1, name: 1 }, unique: true, name: 'profiles_of_project' },
    // At most one default, also with concurrent requests.
    { key: { projectId: 1 }, partialFilterExpression: { isDefault: true }, unique: true, name: 'default_profile' },
  ],
  pools: [],
  runs: [
    // The sweep takes turns among projects.
    {
      key: { projectId: 1, 'dispatch.after': 1 },
      partialFilterExpression: { 'dispatch.after': { $exists: true } },
      name: 'pending_starts',
    },
    // The oldest pending start, and those past their deadline.
    {
      key: { queuedAt: 1 },
      partialFilterExpression: { 'dispatch.after': { $exists: true } },
      name: 'pending_since',
    },
    // A suite's test runs in order, and their counts.
    {
      key: { suiteRunId: 1, position: 1 },
      partialFilterExpression: { suiteRunId: { $exists: true } },
      name: 'suite_tests',
    },
    // Runs by status (metrics).
    { key: { status: 1, modified: 1 }, name: 'status' },
    // Queued test runs by pool, with and without a reason for waiting.
    {
      key: { status: 1, 'definition.pool': 1, reason: 1 },
      partialFilterExpression: { status: 'queued' },
      name: QUEUE_OF_POOL,
    },
    // Open runs (reconcile): pages of ids, and the suites of open tests, from the index alone.
    {
      key: { status: 1, _id: 1, suiteRunId: 1 },
      partialFilterExpression: { status: { $in: [...OPEN_STATUSES] } },
      name: 'open_runs',
    },
    // Open runs whose workflow is missing (reconcile).
    {
      key: { status: 1, missingSince: 1 },
      partialFilterExpression: { missingSince: { $exists: true } },
      name: 'missing_workflows',
    },
    // Suite runs that are running or have just ended, to recount their tests.
    { key: { status: 1, modified: 1 }, partialFilterExpression: { kind: 'suite' }, name: 'suite_runs' },
    // Expired runs (retention).
    { key: { expiresAt: 1, _id: 1 }, name: 'expiry' },
    // The newest runs, without the test runs of suites.
    { key: { suiteRunId: 1, queuedAt: -1, _id: -1 }, name: 'newest' },
    { key: { projectId: 1, queuedAt: -1, _id: -1 }, name: 'newest_of_project' },
    // Lists of runs that are not a suite's tests. Trigger and status are before the time: looking for a rare one reads no
    // others, and all of them are a merge of their parts (see list-runs.ts).
    {
      key: { projectId: 1, suiteRunId: 1, kind: 1, 'triggeredBy.type': 1, status: 1, queuedAt: -1, _id: -1 },
      name: 'runs_of_project',
    },
    // The same of one test or suite, a suite's tests included; and a suite's open runs, for its line.
    { key: { targetId: 1, status: 1, queuedAt: -1, _id: -1 }, name: 'listed_of_target' },
    // How many runs of a project are open, from the index alone (limits).
    {
      key: { projectId: 1, status: 1 },
      partialFilterExpression: { status: { $in: [...OPEN_STATUSES] } },
      name: OPEN_OF_PROJECT,
    },
  ],
  runLogs: [{ key: { runId: 1, attempt: 1, delivery: 1, seq: 1 }, name: 'log_of_run' }],
  runSteps: [{ key: { runId: 1, attempt: 1, delivery: 1, number: 1 }, name: 'steps_of_run' }],
  // Alphabetical order lists errors and failures first.
  runCases: [{ key: { runId: 1, attempt: 1, delivery: 1, status: 1, number: 1 }, name: CASES_OF_RUN }],
  workers: [
    // Live workers, and workers to remove.
    { key: { seenAt: 1 } },
    // The last heartbeat in a pool.
    { key: { pools: 1, seenAt: -1 } },
  ],
  artifactFiles: [
    { key: { 'metadata.runId': 1 }, name: 'artifacts_of_run' },
    // A project's stored bytes, from the index alone.
    { key: { 'metadata.projectId': 1, length: 1 }, name: STORED_OF_PROJECT },
  ],
  // The index that GridFS creates.
  artifactChunks: [{ key: { files_id: 1, n: 1 }, unique: true }],
  artifactSpace: [],
  installation: [],
  maintenance: [],
  targetStats: [
    // Lists of tests and suites by their statistics. The status precedes the sort fields, as in `runs_of_project`.
    { key: { projectId: 1, kind: 1, status: 1, lastEndedAt: -1, _id: -1 }, name: 'by_last_run' },
    { key: { projectId: 1, kind: 1, status: 1, passRate: 1, _id: 1 }, name: 'by_pass_rate' },
    // With the last verdict's time, so that targets without recent runs are skipped without reading their documents.
    { key: { projectId: 1, kind: 1, status: 1, medianMs: -1, _id: -1, lastEndedAt: -1 }, name: 'by_duration' },
    // Targets whose verdict has changed on the same revision.
    {
      key: { projectId: 1, kind: 1, lastFlipAt: -1 },
      partialFilterExpression: { lastFlipAt: { $exists: true } },
      name: 'flaky',
    },
  ],
  // Read by ids that begin with the project id.
  projectDays: [],
  leases: [],
  // Idle buckets are removed.
  rateBuckets: [{ key: { at: 1 } }],
  users: [
    { key: { email: 1 }, unique: true },
    {
      key: { 'identity.issuer': 1, 'identity.subject': 1 },
      partialFilterExpression: { 'identity.subject': { $exists: true } },
      unique: true,
    },
  ],
  memberships: [{ key: { userId: 1 } }, { key: { projectId: 1, createdAt: 1 } }],
  invitations: [{ key: { hash: 1 }, unique: true }, { key: { projectId: 1, createdAt: -1 } }],
  sessions: [{ key: { userId: 1, lastSeenAt: -1 } }, { key: { expiresAt: 1 } }],
  apiTokens: [
    { key: { userId: 1, createdAt: -1 } },
    { key: { projectId: 1, createdAt: -1 } },
    // A repeated request creates no second token.
    { key: { id: 1 }, unique: true },
  ],
  // Of a project and of the instance: all entries, by action, by actor.
  audit: [
    { key: { projectId: 1, at: -1, _id: -1 } },
    { key: { projectId: 1, action: 1, at: -1, _id: -1 } },
    { key: { projectId: 1, 'actor.name': 1, at: -1, _id: -1 } },
    { key: { at: -1, _id: -1 } },
    { key: { action: 1, at: -1, _id: -1 } },
    { key: { 'actor.name': 1, at: -1, _id: -1 } },
  ],
  signInLimits: [{ key: { key: 1 }, unique: true }, { key: { expire: 1 } }],
};

/**
 * Builds every missing index. Safe to repeat, also while a build is in progress.
 * @param onProgress called with lines of text
 */
export async function setUpDatabase(collections: Collections, onProgress?: (line: string) => void): Promise<void> {
  for (const [name, descriptions] of Object.entries(indexes)) {
    if (descriptions.length === 0) continue;
    const collection = collections[name as keyof Collections] as unknown as Collection;
    await buildIndexes(collection, descriptions, { onProgress });
  }
  await markSetupProjects(collections);
  await markRemovedProjects(collections);
  await recordPools(collections);
}

/** The missing indexes, as `collection.index`. @throws the driver's error */
export async function missingIndexes(collections: Collections): Promise<string[]> {
  const missing = await Promise.all(
    Object.entries(indexes).map(async ([name, descriptions]) => {
      if (descriptions.length === 0) return [];
      const collection = collections[name as keyof Collections] as unknown as Collection;
      const found = await indexesToBuild(collection, descriptions);
      return found.map((one) => `${collection.collectionName}.${nameOf(one)}`);
    }),
  );
  return missing.flat();
}
