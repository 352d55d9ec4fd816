import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { Test, TestRevision } from '#src/domain/records.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';

/** Ids per query: a response with that many definitions stays at a few MB. */
const CHUNK = 1000;

/** A test at the time when a suite run was triggered. */
export interface TestAsOf {
  name: string;
  definition: TestDefinition;
  revision: number;
  /** It was archived at that time. */
  isArchived?: true;
}

/** Slices of up to 1,000, in order. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK);
}

/**
 * Tests as of the trigger of a suite run, by id. Tests created later and tests of other projects are absent.
 * @param trigger.changeNumber of the project at the trigger; without one (a run of an older version) times are compared,
 *   and a test without an early enough state is returned in its current state
 * @throws the driver's error when the database does not answer
 */
export async function testsAsOf(
  { tests, testRevisions }: Pick<Collections, 'tests' | 'testRevisions'>,
  testIds: readonly string[],
  trigger: Pick<SuiteRun, 'projectId' | 'changeNumber' | 'queuedAt'>,
): Promise<Map<string, TestAsOf>> {
  const found = new Map<string, TestAsOf>();
  const rule = ruleOf(trigger);
  for (const ids of chunksOf([...new Set(testIds)])) {
    const current = await tests.find({ _id: { $in: ids }, projectId: trigger.projectId }).toArray();
    const changedSince: Test[] = [];
    for (const test of current) {
      if (rule.wasArchived(test)) found.set(test._id, { ...asOf(test), isArchived: true });
      else if (rule.existed(test)) found.set(test._id, asOf(test));
      else changedSince.push(test);
    }
    if (changedSince.length === 0) continue;
    const testId = { $in: changedSince.map(({ _id }) => _id) };
    const latest = testRevisions.aggregate<{ _id: string; revision: number }>([
      { $match: { testId, ...rule.earlier } },
      { $group: { _id: '$testId', revision: { $max: '$revision' } } },
    ]);
    const kept = await latest.map(({ _id, revision }) => `${_id}:${revision}`).toArray();
    for await (const state of testRevisions.find({ _id: { $in: kept } })) found.set(state.testId, asOf(state));
    if (trigger.changeNumber === undefined)
      for (const test of changedSince) if (!found.has(test._id)) found.set(test._id, asOf(test));
  }
  return found;
}

/** Which states were current at a trigger. A state without a change number is older than all numbered ones. */
function ruleOf({ changeNumber, queuedAt }: Pick<SuiteRun, 'changeNumber' | 'queuedAt'>) {
  if (changeNumber === undefined)
    return {
      existed: ({ modifiedAt }: Test) => modifiedAt <= queuedAt,
      wasArchived: ({ archivedAt }: Test) => archivedAt !== undefined && archivedAt <= queuedAt,
      earlier: { modifiedAt: { $lte: queuedAt } },
    };
  return {
    existed: (test: Test) => (test.changeNumber ?? 0) <= changeNumber,
    wasArchived: (test: Test) => test.archivedAt !== undefined && (test.archivedAtChange ?? 0) <= changeNumber,
    // Also matches revisions without a number.
    earlier: { changeNumber: { $not: { $gt: changeNumber } } },
  };
}

function asOf({ name, definition, revision }: Test | TestRevision): TestAsOf {
  return { name, definition, revision };
}
