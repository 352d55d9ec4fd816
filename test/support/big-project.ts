import type { Collection, Document, OptionalUnlessRequiredId } from 'mongodb';
import type { Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import type { Suite, Test } from '#src/domain/records.js';
import { statusCounts, suiteStatus, type TerminalStatus } from '#src/domain/runs/run-status.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { aSuiteDefinition, aSuiteRun, aTestDefinition, aTestRun } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { seededRandom, type Random } from '#test/chaos/random.js';

const DAY_MS = 24 * 3_600_000;
const BATCH = 2000;

export interface BigProjectSize {
  tests: number;
  suites: number;
  /** Total, test runs of suites included. */
  runs: number;
  /** Tests of a typical suite. */
  suiteTests: number;
  /** Days over which the runs are spread, the last one today. */
  days: number;
  logLines: number;
  auditEntries: number;
}

/** The size that pages must support. */
export const BIG: BigProjectSize = {
  tests: 10_000,
  suites: 200,
  runs: 100_000,
  suiteTests: 100,
  days: 90,
  logLines: 5000,
  auditEntries: 20_000,
};

export interface BigProject {
  tests: Test[];
  suites: Suite[];
  /** The run of the suite that contains every test. */
  biggestRunId: string;
  /** A test run with a log. */
  loggedRunId: string;
  suiteRunId: string;
}

/** Fills a project with a large number of tests and runs, without statistics. */
export async function seedBigProject(
  collections: Collections,
  projectId: string,
  size: BigProjectSize = BIG,
): Promise<BigProject> {
  const random = seededRandom(7);
  const now = Date.now();
  const tests = manyTests(projectId, size, random);
  const suites = manySuites(projectId, tests, size, random);
  await insertAll(collections.tests, tests);
  await insertAll(collections.suites, suites);
  const runs = manyRuns({ projectId, tests, suites, size, random, now });
  await insertAll(collections.runs, runs);
  const logged = runs.find(({ kind, status }) => kind === 'test' && status === 'failed')!;
  await insertAll(collections.runLogs, aLog(logged._id, size.logLines, logged.endedAt!));
  await insertAll(collections.audit, anAudit(projectId, size.auditEntries, now));
  const suiteRuns = runs.filter(({ kind }) => kind === 'suite');
  return {
    tests,
    suites,
    biggestRunId: suiteRuns[0]!._id,
    loggedRunId: logged._id,
    suiteRunId: suiteRuns[1]!._id,
  };
}

const AREAS = ['Cart', 'Checkout', 'Search', 'Login', 'Profile', 'Orders', 'Returns', 'Prices', 'Mail', 'Stock'];
const DEEDS = ['opens', 'keeps what was typed', 'refuses nonsense', 'is quick', 'works on a phone', 'shows the total'];

function manyTests(projectId: string, { tests }: BigProjectSize, random: Random): Test[] {
  return Array.from({ length: tests }, (_, index) =>
    aTest({
      projectId,
      name: `${random.pick(AREAS)} ${random.pick(DEEDS)} ${String(index).padStart(5, '0')}`,
      definition: aTestDefinition({ command: ['node', 'test.mjs', '--case', String(index)], env: { REGION: 'eu' } }),
    }),
  );
}

/** The first suite contains every test. */
function manySuites(projectId: string, tests: Test[], size: BigProjectSize, random: Random): Suite[] {
  return Array.from({ length: size.suites }, (_, index) => {
    const from = random.between(0, Math.max(0, tests.length - size.suiteTests));
    const held = index === 0 ? tests : tests.slice(from, from + size.suiteTests);
    return {
      _id: randomId(),
      projectId,
      name: index === 0 ? 'Everything' : `${random.pick(AREAS)} suite ${String(index).padStart(3, '0')}`,
      definition: aSuiteDefinition({ tests: held.map(({ _id }) => _id), parallelism: 20 }),
      revision: 1,
      modifiedAt: new Date(),
    };
  });
}

interface Making {
  projectId: string;
  tests: Test[];
  suites: Suite[];
  size: BigProjectSize;
  random: Random;
  now: number;
}

/** The biggest suite's run, other suite runs for about two fifths of the rest, and single test runs. */
function manyRuns({ projectId, tests, suites, size, random, now }: Making): (TestRun | SuiteRun)[] {
  const byId = new Map(tests.map((test) => [test._id, test]));
  const someTime = () => new Date(now - Math.floor(random.next() * size.days * DAY_MS) - 60_000);
  const runs: (TestRun | SuiteRun)[] = [];

  function addSuiteRun(suite: Suite, queuedAt: Date): void {
    const suiteRunId = randomId();
    const children = suite.definition.tests.map((id, position) => ({
      ...endedTest(projectId, byId.get(id)!, new Date(queuedAt.getTime() + position * 50), random),
      suiteRunId,
      position,
      queuedAt,
      triggeredBy: { type: 'suite' as const },
    }));
    const counts = statusCounts();
    for (const { status } of children) counts[status]++;
    const endedAt = new Date(Math.max(...children.map((child) => child.endedAt!.getTime())) + 5);
    runs.push({
      ...aSuiteRun({ projectId, targetId: suite._id, targetName: suite.name, definition: suite.definition }),
      _id: suiteRunId,
      status: suiteStatus(counts, false),
      counts,
      queuedAt,
      startedAt: new Date(queuedAt.getTime() + 20),
      endedAt,
      modified: endedAt,
    });
    runs.push(...children);
  }

  addSuiteRun(suites[0]!, new Date(now - 2 * 3_600_000));
  const ofSuites = runs.length + (size.runs - runs.length) * 0.4;
  while (runs.length < ofSuites) addSuiteRun(suites[random.between(1, suites.length - 1)]!, someTime());
  while (runs.length < size.runs) runs.push(endedTest(projectId, random.pick(tests), someTime(), random));
  return runs;
}

/** About one percent each of failing and of flaky tests. */
const oddsOf = (test: Test) =>
  ({ fa: 0.2, fb: 0.2, fc: 0.2, f0: 0.7, f1: 0.7, f2: 0.7 })[test._id.slice(0, 2)] ?? 0.997;

function endedTest(projectId: string, test: Test, queuedAt: Date, random: Random): TestRun {
  const luck = random.next();
  const odd = random.pick<TerminalStatus>(['error', 'stopped', 'skipped', 'failed', 'failed', 'failed']);
  const status: TerminalStatus = luck < oddsOf(test) ? 'passed' : luck < 0.99 ? 'failed' : odd;
  const startedAt = new Date(queuedAt.getTime() + random.between(5, 500));
  const slowness = Number.parseInt(test._id.slice(-2), 16) + 1;
  const endedAt = new Date(startedAt.getTime() + slowness * random.between(20, 60));
  return {
    ...aTestRun({ projectId, targetId: test._id, targetName: test.name, definition: test.definition }),
    status,
    seq: 1_000_012,
    attempt: 1,
    attempts:
      status === 'skipped'
        ? []
        : [
            {
              number: 1,
              delivery: 1,
              worker: 'ci-7:4711',
              startedAt,
              endedAt,
              verdict: { status, exitCode: status === 'passed' ? 0 : 1 },
            },
          ],
    queuedAt,
    startedAt,
    endedAt,
    modified: endedAt,
    expiresAt: new Date(queuedAt.getTime() + 365 * DAY_MS),
    triggeredBy: { type: random.pick(['webhook', 'api', 'web', 'cli'] as const), name: 'somebody@example.test' },
  };
}

function aLog(runId: string, lines: number, at: Date) {
  return Array.from({ length: lines }, (_, index) => ({
    _id: `${runId}:1:1:${index}`,
    runId,
    attempt: 1,
    delivery: 1,
    seq: index,
    at,
    stream: index % 10 === 0 ? ('stderr' as const) : ('stdout' as const),
    text: `\u001b[32m✓\u001b[0m step ${index} of the test did what it should in ${index % 97} ms`,
  }));
}

function anAudit(projectId: string, entries: number, now: number) {
  return Array.from({ length: entries }, (_, index) => ({
    _id: randomId(),
    at: new Date(now - index * 60_000),
    projectId,
    actor: { type: 'user' as const, id: randomId(), name: `somebody-${index % 20}@example.test` },
    action: index % 3 === 0 ? 'test.edit' : 'run.start',
    target: { type: 'test', id: randomId(), name: `Cart opens ${index}` },
    from: '192.0.2.7',
  }));
}

async function insertAll<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
  for (let from = 0; from < documents.length; from += BATCH)
    await collection.insertMany(documents.slice(from, from + BATCH) as OptionalUnlessRequiredId<T>[], {
      ordered: false,
      writeConcern: { w: 1, journal: false },
    });
}
