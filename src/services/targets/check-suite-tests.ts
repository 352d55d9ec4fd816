import type { Collections } from '#src/db/schema/collections.js';
import { liveTestsAmong, suitesWith } from '#src/db/suite-runs/suite-tests.js';
import type { Test } from '#src/domain/records.js';
import type { SuiteDefinition } from '#src/domain/targets/definitions.js';
import { ConflictError, InvalidInputError, type FieldProblem } from '#src/domain/errors.js';

const NAMED_AT_MOST = 5;
const PROBLEMS_AT_MOST = 50;

/** @throws InvalidInputError when a suite names what is no live test of its project */
export async function checkSuiteTests(
  collections: Pick<Collections, 'tests'>,
  projectId: string,
  { tests }: SuiteDefinition,
): Promise<void> {
  const live = await liveTestsAmong(collections, projectId, tests);
  const fields = tests.flatMap((id, index): FieldProblem[] => {
    const field = `tests.${index}`;
    return live.has(id) ? [] : [{ field, message: `${field}: this project has no test with the id ${id}` }];
  });
  if (fields.length === 0) return;
  throw new InvalidInputError(`${fields[0]!.message}; remove it, or create the test first`, {
    fields: fields.slice(0, PROBLEMS_AT_MOST),
  });
}

/** @throws ConflictError `in_use` with the suites' names when a test is in some */
export async function checkInNoSuites(
  collections: Pick<Collections, 'suites'>,
  { _id, projectId }: Pick<Test, '_id' | 'projectId'>,
): Promise<void> {
  const names = await suitesWith(collections, projectId, _id, NAMED_AT_MOST + 1);
  if (names.length === 0) return;
  const shown = names.slice(0, NAMED_AT_MOST).map((name) => `"${name}"`);
  const more = names.length > NAMED_AT_MOST ? ' and others' : '';
  throw new ConflictError(
    'in_use',
    `These suites contain the test: ${shown.join(', ')}${more}. Remove it from them first.`,
  );
}
