import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { DEFAULTS } from '#src/domain/targets/definition-fields.js';
import { targetIdOf } from '#src/domain/ids.js';
import { durationText } from './duration.js';
import type { Project, Suite, Test } from '#src/domain/records.js';
import { SCHEDULE_DEFAULTS, type Schedule } from '#src/domain/schedules/schedule.js';
import type { SetupCommand } from '#src/domain/targets/test-source.js';

/**
 * A project as a project file, which imports again without a change: what is as its default, and the
 * ids of tests, suites and schedules that follow from their names, are left out.
 * @param suites of these tests only
 * @param schedules of these tests and suites only
 */
export function projectFileTextOf(
  { _id, name, retentionDays }: Pick<Project, '_id' | 'name' | 'retentionDays'>,
  tests: readonly Test[],
  suites: readonly Suite[],
  schedules: readonly Schedule[],
): string {
  const names = new Map([...tests, ...suites].map((target) => [target._id, target.name]));
  const written = {
    id: _id,
    project: name,
    ...(retentionDays === undefined ? {} : { retentionDays }),
    tests: tests.map(writtenTest),
    suites: suites.map((suite) => writtenSuite(suite, names)),
    ...(schedules.length === 0 ? {} : { schedules: schedules.map((schedule) => writtenSchedule(schedule, names)) }),
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

function writtenSchedule({ _id, projectId, name, definition }: Schedule, names: ReadonlyMap<string, string>): object {
  const { testId, suiteId, cron, catchUpMs, runProfileId, ...rest } = withoutDefaults(definition, SCHEDULE_DEFAULTS);
  return {
    ...(_id === targetIdOf(projectId, 'schedule', name) ? {} : { id: _id }),
    name,
    ...(testId === undefined ? { suite: names.get(suiteId!)! } : { test: names.get(testId)! }),
    cron,
    ...rest,
    ...(catchUpMs === undefined ? {} : { catchUp: durationText(catchUpMs) }),
    ...(runProfileId === undefined ? {} : { profile: runProfileId }),
  };
}

function withoutDefaults<T extends object>(definition: T, defaults: object): Partial<T> {
  const usual = defaults as Record<string, unknown>;
  const own = Object.entries(definition).filter(([field, value]) => !isDeepStrictEqual(value, usual[field]));
  return Object.fromEntries(own) as Partial<T>;
}
