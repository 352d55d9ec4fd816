import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { Test, TestRevision } from '#src/domain/records.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';

/** Ids in one query at most: the answer with their definitions stays a few MB. */
const CHUNK = 1000;

/** A test as it was when a suite was triggered. */
export interface TestAsOf {
  name: string;
  definition: TestDefinition;
  revision: number;
  /** It was archived by then. */
  isArchived?: true;
}

/** Slices of up to 1,000, in order. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK);
}

/**
 * Tests as they were at the trigger of a suite run, by id. One that the project did not have yet, and one of another
 * project, is absent.
 * @param trigger.changeNumber of the project at the trigger; without one (a run of an older version) times are compared,
 *   and a test without an early enough state is taken as it is
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
      else if (rule.wasThere(test)) found.set(test._id, asOf(test));
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

/** Which states were in force at a trigger. A state without a number is of an older version: it was there before all numbers. */
function ruleOf({ changeNumber, queuedAt }: Pick<SuiteRun, 'changeNumber' | 'queuedAt'>) {
  if (changeNumber === undefined)
    return {
      wasThere: ({ modifiedAt }: Test) => modifiedAt <= queuedAt,
      wasArchived: ({ archivedAt }: Test) => archivedAt !== undefined && archivedAt <= queuedAt,
      earlier: { modifiedAt: { $lte: queuedAt } },
    };
  return {
    wasThere: (test: Test) => (test.changeNumber ?? 0) <= changeNumber,
    wasArchived: (test: Test) => test.archivedAt !== undefined && (test.archivedAtChange ?? 0) <= changeNumber,
    // It matches a revision without a number too.
    earlier: { changeNumber: { $not: { $gt: changeNumber } } },
  };
}

function asOf({ name, definition, revision }: Test | TestRevision): TestAsOf {
  return { name, definition, revision };
}
