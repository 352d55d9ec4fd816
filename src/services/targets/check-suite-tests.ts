import type { Collections } from '#src/db/schema/collections.js';
import { liveTestsAmong, suitesWith } from '#src/db/suite-runs/suite-tests.js';
import type { Test } from '#src/domain/records.js';
import type { SuiteDefinition } from '#src/domain/targets/definitions.js';
import { ConflictError, InvalidInputError, type FieldProblem } from '#src/domain/errors.js';

const MAX_NAMES = 5;
const MAX_PROBLEMS = 50;

/** @throws InvalidInputError when an entry of a suite is not a live test of its project */
export async function checkSuiteTests(
  collections: Pick<Collections, 'tests'>,
  projectId: string,
  { tests }: SuiteDefinition,
): Promise<void> {
  const live = await liveTestsAmong(collections, projectId, tests);
  const fields = tests.flatMap((id, index): FieldProblem[] => {
    const field = `tests.${index}`;
    return live.has(id) ? [] : [{ field, message: `${field}: this project has no test with the ID ${id}` }];
  });
  if (fields.length === 0) return;
  throw new InvalidInputError(`${fields[0]!.message}; remove it, or create the test first`, {
    fields: fields.slice(0, MAX_PROBLEMS),
  });
}

/** @throws ConflictError `in_use` with the names of the suites that contain a test */
export async function checkInNoSuites(
  collections: Pick<Collections, 'suites'>,
  { _id, projectId }: Pick<Test, '_id' | 'projectId'>,
): Promise<void> {
  const names = await suitesWith(collections, projectId, _id, MAX_NAMES + 1);
  if (names.length === 0) return;
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  const more = names.length > MAX_NAMES ? ' and others' : '';
  throw new ConflictError(
    'in_use',
    `These suites contain the test: ${shown.join(', ')}${more}. Remove it from them first.`,
  );
}
