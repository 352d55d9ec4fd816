import { LONGEST_TEST_MS } from '#src/domain/targets/definition-fields.js';
import type { RunnerKind } from '#src/domain/targets/runner-types.js';
import { TYPED_IN_REQUESTS } from '#src/domain/http-test/http-test.js';
import { LONGEST_SETUP_MS } from '#src/domain/targets/test-source.js';
import type { FormFields } from '#src/server/forms/read-form.js';
import {
  argumentsText,
  checkText,
  commandText,
  durationUpTo,
  listText,
  numberText,
  plainText,
  rawText,
  required,
  variablesText,
  yamlText,
} from '#src/server/forms/text-values.js';
import type { SourceChoice } from './test-sources.js';

const NO_COMMAND = 'Enter the program and its arguments, quoted as in a shell.';

/** Of every test. */
const COMMON: FormFields = {
  name: rawText,
  'setup.command': commandText,
  'setup.key': listText,
  'setup.keep': listText,
  'setup.timeoutMs': durationUpTo(LONGEST_SETUP_MS),
  env: variablesText,
  timeoutMs: durationUpTo(LONGEST_TEST_MS),
  retries: numberText,
  pool: plainText,
  artifacts: listText,
  'limits.memoryMiB': numberText,
  'limits.processes': numberText,
  'limits.outputMiB': numberText,
  'limits.diskMiB': numberText,
};

const OF_RUNNER: Record<RunnerKind, FormFields> = {
  command: { command: required(commandText, NO_COMMAND), 'results.junit': plainText },
  browser: {
    baseUrl: plainText,
    steps: yamlText(),
    groups: yamlText(),
    browser: plainText,
    device: plainText,
    'viewport.width': numberText,
    'viewport.height': numberText,
    locale: plainText,
    timezone: plainText,
    storageState: plainText,
    screenshots: plainText,
    trace: plainText,
    stepTimeout: plainText,
  },
  http: {
    baseUrl: plainText,
    requests: yamlText(TYPED_IN_REQUESTS),
    headers: yamlText(),
    cookies: plainText,
    insecure: checkText,
  },
};

const OF_SOURCE: Record<SourceChoice, FormFields> = {
  folder: { cwd: plainText },
  git: { 'git.url': plainText, 'git.ref': plainText, 'git.path': plainText },
  none: {},
};

/** The command with one argument per line. */
export const COMMAND_AS_LINES: FormFields = { command: required(argumentsText, NO_COMMAND) };

/** The fields of a test of this runner whose files come from one of these sources. */
export function testFields(runner: RunnerKind, ...sources: SourceChoice[]): FormFields {
  return Object.assign({}, OF_RUNNER[runner], ...sources.map((source) => OF_SOURCE[source]), COMMON) as FormFields;
}

/** The parts of a definition that have a field. */
export const PARTS_WITH_FIELDS: ReadonlySet<string> = new Set(
  [COMMON, ...Object.values(OF_RUNNER), ...Object.values(OF_SOURCE)].flatMap((fields) =>
    Object.keys(fields).map((name) => name.split('.')[0]!),
  ),
);
