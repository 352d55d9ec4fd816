import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { DEFAULTS } from './definition-fields.js';
import { projectIdOf, targetIdOf } from './ids.js';
import { durationText } from './project-file-duration.js';
import type { Project, Suite, Test } from './records.js';
import type { SetupCommand } from './test-source.js';

/**
 * A project as a project file, which imports again without a change: what is as its default, and ids that follow from names,
 * are left out.
 * @param suites of these tests only
 */
export function projectFileTextOf(
  { _id, name, retentionDays }: Pick<Project, '_id' | 'name' | 'retentionDays'>,
  tests: readonly Test[],
  suites: readonly Suite[],
): string {
  const names = new Map(tests.map((test) => [test._id, test.name]));
  const written = {
    ...(_id === projectIdOf(name) ? {} : { id: _id }),
    project: name,
    ...(retentionDays === undefined ? {} : { retentionDays }),
    tests: tests.map(writtenTest),
    suites: suites.map((suite) => writtenSuite(suite, names)),
  };
  return stringify(written, { lineWidth: 0, aliasDuplicateObjects: false });
}

function writtenTest({ _id, projectId, name, definition }: Test): object {
  const { timeoutMs, setup, ...rest } = withoutDefaults(definition, DEFAULTS.test);
  return {
    ...(_id === targetIdOf(projectId, 'test', name) ? {} : { id: _id }),
    name,
    ...rest,
    ...(setup === undefined ? {} : { setup: writtenSetup(setup) }),
    ...(timeoutMs === undefined ? {} : { timeout: durationText(timeoutMs) }),
  };
}

function writtenSetup({ timeoutMs, ...rest }: SetupCommand): object {
  return { ...rest, timeout: durationText(timeoutMs) };
}

function writtenSuite({ _id, projectId, name, definition }: Suite, testNames: ReadonlyMap<string, string>): object {
  const { timeoutMs, tests, ...rest } = withoutDefaults(definition, DEFAULTS.suite);
  return {
    ...(_id === targetIdOf(projectId, 'suite', name) ? {} : { id: _id }),
    name,
    tests: tests!.map((id) => testNames.get(id)!),
    ...rest,
    ...(timeoutMs === undefined ? {} : { timeout: durationText(timeoutMs) }),
  };
}

function withoutDefaults<T extends object>(definition: T, defaults: object): Partial<T> {
  const usual = defaults as Record<string, unknown>;
  const own = Object.entries(definition).filter(([field, value]) => !isDeepStrictEqual(value, usual[field]));
  return Object.fromEntries(own) as Partial<T>;
}
