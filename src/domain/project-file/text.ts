import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { DEFAULTS } from '#src/domain/targets/definition-fields.js';
import { targetIdOf } from '#src/domain/ids.js';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import { durationText } from './duration.js';
import type { Project, Suite, Test } from '#src/domain/records.js';
import { SCHEDULE_DEFAULTS, type Schedule } from '#src/domain/schedules/schedule.js';
import type { SetupCommand } from '#src/domain/targets/test-source.js';

/**
 * A project as a project file that can be imported without changes. Default values, and ids derived from names, are left
 * out.
 * @param suites may only contain these tests
 * @param schedules may only start these tests and suites
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
    retentionDays,
    tests: tests.map(writtenTest),
    suites: suites.map((suite) => writtenSuite(suite, names)),
    schedules: schedules.length > 0 ? schedules.map((schedule) => writtenSchedule(schedule, names)) : undefined,
  };
  return stringify(written, { lineWidth: 0, aliasDuplicateObjects: false });
}

function writtenTest({ _id, projectId, name, definition }: Test): object {
  const { timeoutMs, setup, ...rest } = withoutDefaults(definition, DEFAULTS.test);
  return {
    id: ownId(_id, projectId, 'test', name),
    name,
    ...rest,
    setup: setup && writtenSetup(setup),
    timeout: timeoutMs && durationText(timeoutMs),
  };
}

function writtenSetup({ timeoutMs, ...rest }: SetupCommand): object {
  return { ...rest, timeout: durationText(timeoutMs) };
}

function writtenSuite({ _id, projectId, name, definition }: Suite, testNames: ReadonlyMap<string, string>): object {
  const { timeoutMs, tests, ...rest } = withoutDefaults(definition, DEFAULTS.suite);
  return {
    id: ownId(_id, projectId, 'suite', name),
    name,
    tests: tests!.map((id) => testNames.get(id)!),
    ...rest,
    timeout: timeoutMs && durationText(timeoutMs),
  };
}

function writtenSchedule({ _id, projectId, name, definition }: Schedule, names: ReadonlyMap<string, string>): object {
  const { testId, suiteId, cron, catchUpMs, runProfileId, ...rest } = withoutDefaults(definition, SCHEDULE_DEFAULTS);
  return {
    id: ownId(_id, projectId, 'schedule', name),
    name,
    ...(testId === undefined ? { suite: names.get(suiteId!)! } : { test: names.get(testId)! }),
    cron,
    ...rest,
    catchUp: catchUpMs && durationText(catchUpMs),
    profile: runProfileId,
  };
}

function ownId(id: string, projectId: string, kind: ProjectItemKind, name: string): string | undefined {
  return id === targetIdOf(projectId, kind, name) ? undefined : id;
}

function withoutDefaults<T extends object>(definition: T, defaults: object): Partial<T> {
  const usual = defaults as Record<string, unknown>;
  const own = Object.entries(definition).filter(([field, value]) => !isDeepStrictEqual(value, usual[field]));
  return Object.fromEntries(own) as Partial<T>;
}
