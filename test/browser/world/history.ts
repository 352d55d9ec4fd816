import type { Collections } from '#src/db/schema/collections.js';
import { statusCounts, type TerminalStatus } from '#src/domain/runs/run-status.js';
import type { Run, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { seededRandom } from '#test/chaos/random.js';

const DAY = 24 * 3_600_000;
const DAYS = 14;

/** How often a test of this name recently did not pass, out of a hundred. */
const TROUBLE: Record<string, number> = {
  'Refund reaches the customer': 60,
  'Search finds products': 25,
  'Delivery dates are kept': 10,
};
const USUAL_TROUBLE = 2;

/**
 * Inserts two weeks of nightly runs, each test of the suite once a night, and one run a day of each test by itself:
 * always the same, except for the ids and the last day.
 */
export async function addHistory(collections: Collections, suiteId: string): Promise<void> {
  const suite = await collections.suites.findOne({ _id: suiteId });
  if (!suite) throw new Error(`There is no suite ${suiteId}`);
  const tests = await collections.tests.find({ projectId: suite.projectId }).sort({ name: 1 }).toArray();
  const byId = new Map(tests.map((test) => [test._id, test]));
  const random = seededRandom(7);
  const runs: Run[] = [];

  for (let night = DAYS; night > 0; night -= 1) {
    const begin = Date.now() - night * DAY + 3 * 3_600_000;
    const nightly: SuiteRun = {
      ...aSuiteRun({
        projectId: suite.projectId,
        targetId: suite._id,
        targetName: suite.name,
        definition: suite.definition,
      }),
      ...over('passed', begin, 60_000),
      triggeredBy: { type: 'webhook' },
    };
    const inside = suite.definition.tests.map((id, position) =>
      testRun(byId.get(id)!, begin + Math.floor(position / 4) * 10_000, {
        suiteRunId: nightly._id,
        position,
        triggeredBy: { type: 'suite' },
      }),
    );
    const counts = statusCounts();
    for (const { status } of inside) counts[status] += 1;
    runs.push({ ...nightly, status: counts.failed > 0 ? 'failed' : 'passed', counts }, ...inside);
    runs.push(
      ...tests
        .filter(
          ({ definition }) =>
            definition.runner === 'command' && definition.command[0] === 'npx' && definition.pool === 'default',
        )
        .map((test) => testRun(test, begin + 8 * 3_600_000)),
    );
  }
  // In the order in which they ended, so that concurrent counts miss none.
  await collections.runs.insertMany(runs.toSorted((a, b) => a.modified.getTime() - b.modified.getTime()));

  function testRun(test: (typeof tests)[number], at: number, more: Partial<TestRun> = {}): TestRun {
    const status = random.between(0, 99) < (TROUBLE[test.name] ?? USUAL_TROUBLE) ? 'failed' : 'passed';
    const ended = over(status, at, 1_000 + test.name.length * 15 + random.between(0, 500));
    const attempt = {
      number: 1,
      delivery: 1,
      worker: 'ci-1:4711',
      startedAt: ended.startedAt,
      endedAt: ended.endedAt,
      verdict: { status, exitCode: status === 'passed' ? 0 : 1 } as const,
    };
    return {
      ...aTestRun({
        projectId: test.projectId,
        targetId: test._id,
        targetName: test.name,
        definition: test.definition,
      }),
      ...ended,
      attempt: 1,
      attempts: [attempt],
      ...more,
    };
  }
}

/** The times of a run that is over. */
function over(status: TerminalStatus, begin: number, ms: number) {
  const endedAt = new Date(begin + ms);
  const queuedAt = new Date(begin - 400);
  return {
    status,
    seq: 3,
    queuedAt,
    startedAt: new Date(begin),
    endedAt,
    modified: endedAt,
    expiresAt: new Date(Date.now() + 60 * DAY),
  };
}
