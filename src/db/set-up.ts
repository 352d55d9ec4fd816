import type { IndexDescription } from 'mongodb';
import type { Collections } from './collections.js';
import { QUEUE_OF_POOL } from './pool-queues.js';

type IndexTable = { [Name in keyof Collections]: IndexDescription[] };

/** Every index and what needs it. */
const indexes: IndexTable = {
  projects: [{ key: { slug: 1 }, unique: true }],
  // Unique: two imports at once make one token.
  webhookTokens: [{ key: { projectId: 1, number: 1 }, unique: true }],
  tests: [{ key: { projectId: 1, name: 1 } }],
  // Tests as they were at a moment.
  testRevisions: [{ key: { testId: 1, modifiedAt: -1 } }],
  suites: [{ key: { projectId: 1, name: 1 } }],
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
    // A suite's open runs, for its line: newest first.
    {
      key: { targetId: 1, status: 1, queuedAt: -1, _id: -1 },
      partialFilterExpression: { kind: 'suite' },
      name: 'runs_of_suite',
    },
    // Open runs that have not moved (reconcile), and runs by status (metrics).
    { key: { status: 1, modified: 1 }, name: 'status' },
    // Test runs in the queue by pool, and whether it says why they wait. Small: it holds what is queued only.
    {
      key: { status: 1, 'definition.pool': 1, reason: 1 },
      partialFilterExpression: { status: 'queued' },
      name: QUEUE_OF_POOL,
    },
    // The newest runs that are not a suite's tests.
    { key: { suiteRunId: 1, queuedAt: -1, _id: -1 }, name: 'newest' },
    { key: { projectId: 1, queuedAt: -1, _id: -1 }, name: 'newest_of_project' },
  ],
  runLogs: [{ key: { runId: 1, attempt: 1, delivery: 1, seq: 1 }, name: 'log_of_run' }],
  workers: [
    // Those alive, and those long gone.
    { key: { seenAt: 1 } },
    // The last sign of a pool.
    { key: { pools: 1, seenAt: -1 } },
  ],
};

/** Makes every index that is not there. Safe to repeat. */
export async function setUpDatabase(collections: Collections): Promise<void> {
  for (const [name, descriptions] of Object.entries(indexes)) {
    await collections[name as keyof Collections].createIndexes(descriptions);
  }
}
