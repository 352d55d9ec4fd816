import type { ValidationResult } from 'joi';
import { isAbsolute, resolve } from 'node:path';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import { convertedTexts, NOT_A_TEXT } from '#src/domain/converted.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import { TYPED_IN_REQUESTS } from '#src/domain/http-test/http-test.js';
import { targetIdOf } from '#src/domain/ids.js';
import { durationMs } from './duration.js';
import { ProjectFileError, type ProjectFileProblem } from './project-file-error.js';
import { checkScheduleTargets, checkSuiteTests, entryNames, sameId } from './links.js';
import {
  projectFileSchema,
  VALIDATION,
  type WrittenProject,
  type WrittenSchedule,
  type WrittenSuite,
  type WrittenSetup,
  type WrittenTest,
} from './schema.js';
import type { ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import type { SetupCommand } from '#src/domain/targets/test-source.js';
import { readYaml } from './yaml.js';

/** A test, suite or schedule of a project file, with its id and complete definition. */
export interface FileEntry<Definition> {
  id: string;
  name: string;
  definition: Definition;
  /** Line of its name, from 1. */
  line: number;
}

export interface ProjectFile {
  id: string;
  name: string;
  /** Absent: the servers' default. */
  retentionDays?: number;
  tests: FileEntry<TestDefinition>[];
  suites: FileEntry<SuiteDefinition>[];
  /** Absent: existing schedules stay as long as their target exists. */
  schedules?: FileEntry<ScheduleDefinition>[];
}

type ParsedEntry<Definition> = Omit<FileEntry<Definition>, 'id'> & { id?: string };

/**
 * A parsed project file: entries have ids only if the file specifies them, and refer to tests and suites by name.
 * `withIds` resolves both for a project.
 */
export interface ParsedProjectFile extends Pick<ProjectFile, 'name' | 'retentionDays'> {
  id?: string;
  tests: ParsedEntry<TestDefinition>[];
  suites: ParsedEntry<SuiteDefinition>[];
  schedules?: ParsedEntry<ScheduleDefinition>[];
}

export const MAX_PROJECT_FILE_BYTES = 5 * 1024 * 1024;

const NO_FOLDER =
  'cwd must be an absolute path, because the folder of the file is not known (in the API, set ?folder=/its/folder)';

const TYPED_PATHS = TYPED_IN_REQUESTS.map((path) => ['tests', '*', 'requests', ...path]);

const MISSING = ['any.required', 'array.sparse'];

/**
 * Reads a project file: YAML or JSON text → definitions with defaults and absolute paths.
 * @param from `folder`: absolute folder of the file, the base of `cwd`; without it, every `cwd` must be absolute;
 *   `fileName`: for errors
 * @throws ProjectFileError with all problems and their lines
 */
export function parseProjectFile(text: string, from: { folder?: string; fileName: string }): ParsedProjectFile {
  const fail = (problems: ProjectFileProblem[]) => new ProjectFileError(from.fileName, problems);
  if (Buffer.byteLength(text) > MAX_PROJECT_FILE_BYTES)
    throw fail([{ line: 1, message: 'the file is larger than 5 MiB; split it into several projects' }]);

  const yaml = readYaml(text, TYPED_PATHS);
  if (yaml.value === undefined) throw fail(yaml.problems);
  if (yaml.value === null)
    throw fail([{ line: 1, message: 'the file is empty; it must have at least project and tests' }]);

  const problems = [...yaml.problems];
  const unread = new Set(problems.map(({ line }) => line));
  const report = (line: number, message: string): void => void problems.push({ line, message });
  const result = validate(yaml.value);
  for (const { type, path, message } of result.error?.details ?? []) {
    const line = yaml.lineOf(path);
    // An unreadable value is missing for the schema too, but is reported only once. A list begins below its key.
    const isUnread = unread.has(line) || unread.has(line + 1);
    if (!(isUnread && MISSING.includes(type))) report(line, message);
  }

  // A number is accepted as text, but not the other way around.
  for (const { path, type } of convertedTexts(yaml.value, result.value))
    if (yaml.isText(path)) report(yaml.lineOf(path), `${labelOf(path)} ${NOT_A_TEXT[type]}`);

  // Valid parts of an invalid file are checked too, so that all problems are reported at once.
  const { id, project = '', retentionDays, tests, suites, schedules } = result.value as Partial<WrittenProject>;
  const [testEntries, suiteEntries, scheduleEntries] = [listOf(tests), listOf(suites), listOf(schedules)];
  const testNames = entryNames('test', testEntries, yaml, report);
  const suiteNames = entryNames('suite', suiteEntries, yaml, report);
  entryNames('schedule', scheduleEntries, yaml, report);
  checkSuiteTests(suiteEntries, testNames, yaml, report);
  checkScheduleTargets(scheduleEntries, { test: testNames, suite: suiteNames }, yaml, report);
  if (from.folder === undefined)
    testEntries.forEach((test, index) => {
      if (test && !test.git && (test.cwd ? !isAbsolute(test.cwd) : test.runner === 'command'))
        report(yaml.lineOf(['tests', index, 'cwd']), NO_FOLDER);
    });
  if (problems.length > 0) throw fail(problems);

  const entry = <T>(kind: string, index: number, { id, name }: { id?: string; name: string }, definition: T) => {
    return { id, name, definition, line: yaml.lineOf([kind, index, 'name']) };
  };
  return {
    id,
    name: project,
    retentionDays,
    tests: testEntries.map((test, index) => entry('tests', index, test, testDefinition(test, from.folder ?? '/'))),
    suites: suiteEntries.map((suite, index) => entry('suites', index, suite, suiteDefinition(suite))),
    schedules: schedules && schedules.map((one, index) => entry('schedules', index, one, scheduleDefinition(one))),
  };
}

/**
 * Resolves names to ids of a project; an entry without an id gets the one derived from its name.
 * @throws ProjectFileError when an entry specifies the derived id of another entry
 */
export function withIds(parsed: ParsedProjectFile, projectId: string, fileName: string): ProjectFile {
  const problems: ProjectFileProblem[] = [];
  const resolve = <T>(kind: ProjectItemKind, entries: ParsedEntry<T>[]): FileEntry<T>[] => {
    const lines = new Map<string, number>();
    return entries.map((entry) => {
      const id = entry.id ?? targetIdOf(projectId, kind, entry.name);
      const line = lines.get(id);
      if (line !== undefined) problems.push({ line: entry.line, message: sameId(kind, line, id) });
      lines.set(id, entry.line);
      return { ...entry, id };
    });
  };
  const idsOf = (entries: FileEntry<unknown>[]) => new Map(entries.map(({ id, name }) => [name, id]));
  const tests = resolve('test', parsed.tests);
  const testIds = idsOf(tests);
  const suites = resolve('suite', parsed.suites).map((suite) => ({
    ...suite,
    definition: { ...suite.definition, tests: suite.definition.tests.map((name) => testIds.get(name)!) },
  }));
  const suiteIds = idsOf(suites);
  const { schedules: parsedSchedules, ...rest } = parsed;
  const schedules =
    parsedSchedules &&
    resolve('schedule', parsedSchedules).map((schedule) => ({
      ...schedule,
      definition: withTargetId(schedule.definition, testIds, suiteIds),
    }));
  if (problems.length > 0) throw new ProjectFileError(fileName, problems);
  return { ...rest, id: projectId, tests, suites, schedules };
}

function withTargetId(
  { testId, suiteId, ...rest }: ScheduleDefinition,
  testIds: ReadonlyMap<string, string>,
  suiteIds: ReadonlyMap<string, string>,
): ScheduleDefinition {
  return {
    ...(testId === undefined ? { suiteId: suiteIds.get(suiteId!)! } : { testId: testIds.get(testId)! }),
    ...rest,
  };
}

/** Joi's notation: `tests[0].retries`. */
function labelOf(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

function validate(value: unknown): ValidationResult<WrittenProject> {
  try {
    return projectFileSchema.validate(value, VALIDATION);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Joi fails with more than about 100,000 problems; report only the first one.
    return projectFileSchema.validate(value, { ...VALIDATION, abortEarly: true });
  }
}

function listOf<T>(value: T[] | undefined): T[] {
  return Array.isArray(value) ? value : [];
}

/** With the names of its tests instead of their ids. */
function suiteDefinition({ id: _id, name: _name, timeout, ...rest }: WrittenSuite): SuiteDefinition {
  return { ...rest, ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout)! }) };
}

/** With the name of its test or suite instead of the id. */
function scheduleDefinition(written: WrittenSchedule): ScheduleDefinition {
  const { id: _id, name: _name, test, suite, catchUp, profile, ...rest } = written;
  return {
    ...(test === undefined ? { suiteId: suite! } : { testId: test }),
    ...rest,
    catchUpMs: durationMs(catchUp)!,
    ...(profile === undefined ? {} : { runProfileId: profile }),
  };
}

function testDefinition(
  { id: _id, name: _name, timeout, setup, cwd, ...rest }: WrittenTest,
  folder: string,
): TestDefinition {
  // A command runs in the file's folder by default.
  const written = cwd ?? (rest.runner === 'command' && !rest.git ? '.' : undefined);
  return {
    ...rest,
    ...(written === undefined ? {} : { cwd: resolve(folder, written) }),
    ...(setup === undefined ? {} : { setup: setupCommand(setup) }),
    timeoutMs: durationMs(timeout)!,
  } as TestDefinition;
}

function setupCommand({ timeout, ...rest }: WrittenSetup): SetupCommand {
  return { ...rest, timeoutMs: durationMs(timeout)! };
}
