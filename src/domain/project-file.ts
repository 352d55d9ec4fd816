import type { ValidationResult } from 'joi';
import { isAbsolute, resolve } from 'node:path';
import type { SuiteDefinition, TestDefinition } from './definitions.js';
import { TYPED_IN_REQUESTS } from './http-test.js';
import { projectIdOf } from './ids.js';
import { durationMs } from './project-file-duration.js';
import { ProjectFileError, type ProjectFileProblem } from './project-file-error.js';
import { checkScheduleTargets, checkSuiteTests, idsByName } from './project-file-links.js';
import {
  projectFileSchema,
  VALIDATION,
  type WrittenProject,
  type WrittenSchedule,
  type WrittenSuite,
  type WrittenSetup,
  type WrittenTest,
} from './project-file-schema.js';
import type { ScheduleDefinition } from './schedule.js';
import type { SetupCommand } from './test-source.js';
import { readYaml } from './project-file-yaml.js';

/** A test or suite of a project file: its id is final, its definition complete. */
export interface FileEntry<Definition> {
  id: string;
  name: string;
  definition: Definition;
  /** Where the file names it, from 1. */
  line: number;
}

export interface ProjectFile {
  id: string;
  name: string;
  /** How long the project's runs are kept; absent, as the servers are told. */
  retentionDays?: number;
  tests: FileEntry<TestDefinition>[];
  suites: FileEntry<SuiteDefinition>[];
  /** Absent: those that are there stay, as long as what they start is there. */
  schedules?: FileEntry<ScheduleDefinition>[];
}

/** The size of a project file at most, in bytes. */
export const MAX_PROJECT_FILE_BYTES = 5 * 1024 * 1024;

const NO_FOLDER =
  'cwd must be an absolute folder: the folder of the file is not known here (the API takes it as ?folder=/its/folder)';

const TYPED_PATHS = TYPED_IN_REQUESTS.map((path) => ['tests', '*', 'requests', ...path]);

const MISSING = ['any.required', 'array.sparse'];

/**
 * Reads a project file: YAML or JSON text → definitions with every default filled in and every path absolute.
 * @param from `folder`: absolute folder of the file, the base of `cwd`; none, every `cwd` has to be absolute; `fileName`: how
 *   errors call the file
 * @throws ProjectFileError with all problems of the file and their lines
 */
export function parseProjectFile(text: string, from: { folder?: string; fileName: string }): ProjectFile {
  const fail = (problems: ProjectFileProblem[]) => new ProjectFileError(from.fileName, problems);
  if (Buffer.byteLength(text) > MAX_PROJECT_FILE_BYTES)
    throw fail([{ line: 1, message: 'the file is larger than 5 MiB; make several projects of it' }]);

  const yaml = readYaml(text, TYPED_PATHS);
  if (yaml.value === undefined) throw fail(yaml.problems);
  if (yaml.value === null)
    throw fail([{ line: 1, message: 'the file is empty; it needs at least project: and tests:' }]);

  const problems = [...yaml.problems];
  const unread = new Set(problems.map(({ line }) => line));
  const report = (line: number, message: string): void => void problems.push({ line, message });
  const result = validate(yaml.value);
  for (const { type, path, message } of result.error?.details ?? []) {
    const line = yaml.lineOf(path);
    // A value that could not be read is missing for the schema as well: said once.
    if (!(unread.has(line) && MISSING.includes(type))) report(line, message);
  }

  // In a file with problems the parts that are there are checked all the same, so that all problems come at once.
  const { id, project = '', retentionDays, tests, suites, schedules } = result.value as Partial<WrittenProject>;
  const projectId = id ?? projectIdOf(project);
  const [testEntries, suiteEntries] = [listOf(tests), listOf(suites)];
  const testIds = idsByName('test', testEntries, projectId, yaml, report);
  const suiteIds = idsByName('suite', suiteEntries, projectId, yaml, report);
  checkSuiteTests(suiteEntries, testIds, yaml, report);
  const scheduleEntries = listOf(schedules);
  const scheduleIds = idsByName('schedule', scheduleEntries, projectId, yaml, report);
  checkScheduleTargets(scheduleEntries, { test: testIds, suite: suiteIds }, yaml, report);
  if (from.folder === undefined)
    testEntries.forEach((test, index) => {
      if (test && !test.git && (test.cwd ? !isAbsolute(test.cwd) : test.runner === 'command'))
        report(yaml.lineOf(['tests', index, 'cwd']), NO_FOLDER);
    });
  if (problems.length > 0) throw fail(problems);

  return {
    id: projectId,
    name: project,
    ...(retentionDays === undefined ? {} : { retentionDays }),
    tests: testEntries.map((test, index) => ({
      id: testIds.get(test.name)!,
      name: test.name,
      definition: testDefinition(test, from.folder ?? '/'),
      line: yaml.lineOf(['tests', index, 'name']),
    })),
    suites: suiteEntries.map((suite, index) => ({
      id: suiteIds.get(suite.name)!,
      name: suite.name,
      definition: suiteDefinition(suite, testIds),
      line: yaml.lineOf(['suites', index, 'name']),
    })),
    ...(schedules === undefined
      ? {}
      : {
          schedules: scheduleEntries.map((schedule, index) => ({
            id: scheduleIds.get(schedule.name)!,
            name: schedule.name,
            definition: scheduleDefinition(schedule, testIds, suiteIds),
            line: yaml.lineOf(['schedules', index, 'name']),
          })),
        }),
  };
}

function validate(value: unknown): ValidationResult<WrittenProject> {
  try {
    return projectFileSchema.validate(value, VALIDATION);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // joi cannot hold more than about 100,000 problems: the first one then.
    return projectFileSchema.validate(value, { ...VALIDATION, abortEarly: true });
  }
}

function listOf<T>(value: T[] | undefined): T[] {
  return Array.isArray(value) ? value : [];
}

function suiteDefinition(
  { tests, parallelism, onFailure, retryFailed, timeout, overlap, priority }: WrittenSuite,
  testIds: Map<string, string>,
): SuiteDefinition {
  return {
    tests: tests.map((test) => testIds.get(test)!),
    parallelism,
    onFailure,
    retryFailed,
    ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout)! }),
    overlap,
    ...(priority === undefined ? {} : { priority }),
  };
}

function scheduleDefinition(
  { test, suite, cron, timeZone, paused, catchUp, profile }: WrittenSchedule,
  testIds: Map<string, string>,
  suiteIds: Map<string, string>,
): ScheduleDefinition {
  return {
    ...(test === undefined ? { suiteId: suiteIds.get(suite!)! } : { testId: testIds.get(test)! }),
    cron,
    timeZone,
    paused,
    catchUpMs: durationMs(catchUp)!,
    ...(profile === undefined ? {} : { runProfileId: profile }),
  };
}

function testDefinition(
  { id: _id, name: _name, timeout, setup, cwd, ...rest }: WrittenTest,
  folder: string,
): TestDefinition {
  // A command runs in the file's folder when nothing is said.
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
