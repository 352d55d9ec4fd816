import type { Collections } from '../../db/collections.js';
import { liveTestsAmong, suitesWith } from '../../db/suite-tests.js';
import type { Target } from '../../db/targets.js';
import { ConflictError, InvalidInputError, type FieldProblem } from '../../domain/errors.js';

const NAMED_AT_MOST = 5;
const PROBLEMS_AT_MOST = 50;

/** @throws InvalidInputError when a suite names what is no live test of its project */
export async function checkSuiteTests(
  collections: Pick<Collections, 'tests'>,
  projectId: string,
  definition: Target['definition'],
): Promise<void> {
  if (!('tests' in definition)) return;
  const { tests } = definition;
  const live = await liveTestsAmong(collections, projectId, tests);
  const fields = tests.flatMap((id, index): FieldProblem[] => {
    const field = `tests.${index}`;
    return live.has(id) ? [] : [{ field, message: `${field}: this project has no test ${id}` }];
  });
  if (fields.length === 0) return;
  throw new InvalidInputError(`${fields[0]!.message}; take it out, or make the test first`, {
    fields: fields.slice(0, PROBLEMS_AT_MOST),
  });
}

/** @throws ConflictError `in_use` with the suites' names when a test is in some */
export async function checkInNoSuite(
  collections: Pick<Collections, 'suites'>,
  { _id, projectId }: Pick<Target, '_id' | 'projectId'>,
): Promise<void> {
  const names = await suitesWith(collections, projectId, _id, NAMED_AT_MOST + 1);
  if (names.length === 0) return;
  const shown = names.slice(0, NAMED_AT_MOST).map((name) => `"${name}"`);
  const more = names.length > NAMED_AT_MOST ? ' and others' : '';
  throw new ConflictError('in_use', `Suites run this test: ${shown.join(', ')}${more}. Take it out of them first.`);
}
