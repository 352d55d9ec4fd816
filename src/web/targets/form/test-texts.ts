import { LONGEST_TEST_MS } from '#src/domain/targets/definition-fields.js';
import type { RunnerKind } from '#src/domain/targets/runner-types.js';
import { TYPED_IN_REQUESTS } from '#src/domain/http-test/http-test.js';
import { LONGEST_SETUP_MS } from '#src/domain/targets/test-source.js';
import type { SourceChoice } from './test-form-values.js';
import {
  commandText,
  durationUpTo,
  listText,
  numberText,
  plainText,
  variablesText,
  yamlText,
  yesText,
  type TextValue,
} from '#src/server/pages/text-values.js';

/** A field of a test's form; its name is the path of its value in the definition. */
export interface TestField {
  name: string;
  text: TextValue;
  /** Only of tests of these runners. */
  runners?: readonly RunnerKind[];
  /** Only where the files come from there. */
  source?: SourceChoice;
}

function field<T>(name: string, text: TextValue<T>, only: Omit<TestField, 'name' | 'text'> = {}): TestField {
  return { name, text: text as TextValue, ...only };
}

/** All of them. What a definition has beside them is kept as it is. */
export const TEST_FIELDS: readonly TestField[] = [
  field('command', commandText, { runners: ['command'] }),
  field('results.junit', plainText, { runners: ['command'] }),
  field('baseUrl', plainText, { runners: ['browser', 'http'] }),
  field('steps', yamlText(), { runners: ['browser'] }),
  field('groups', yamlText(), { runners: ['browser'] }),
  field('browser', plainText, { runners: ['browser'] }),
  field('device', plainText, { runners: ['browser'] }),
  field('viewport.width', numberText, { runners: ['browser'] }),
  field('viewport.height', numberText, { runners: ['browser'] }),
  field('locale', plainText, { runners: ['browser'] }),
  field('timezone', plainText, { runners: ['browser'] }),
  field('storageState', plainText, { runners: ['browser'] }),
  field('screenshots', plainText, { runners: ['browser'] }),
  field('trace', plainText, { runners: ['browser'] }),
  field('stepTimeout', plainText, { runners: ['browser'] }),
  field('requests', yamlText(TYPED_IN_REQUESTS), { runners: ['http'] }),
  field('headers', yamlText(), { runners: ['http'] }),
  field('cookies', plainText, { runners: ['http'] }),
  field('insecure', yesText, { runners: ['http'] }),
  field('cwd', plainText, { source: 'folder' }),
  field('git.url', plainText, { source: 'git' }),
  field('git.ref', plainText, { source: 'git' }),
  field('git.path', plainText, { source: 'git' }),
  field('setup.command', commandText),
  field('setup.key', listText),
  field('setup.keep', listText),
  field('setup.timeoutMs', durationUpTo(LONGEST_SETUP_MS)),
  field('env', variablesText),
  field('timeoutMs', durationUpTo(LONGEST_TEST_MS)),
  field('retries', numberText),
  field('pool', plainText),
  field('artifacts', listText),
  field('limits.memoryMiB', numberText),
  field('limits.processes', numberText),
  field('limits.outputMiB', numberText),
  field('limits.diskMiB', numberText),
];

/** The fields of a test of this runner, whose files come from there. */
export function fieldsOf(runner: RunnerKind, source?: SourceChoice): TestField[] {
  return TEST_FIELDS.filter(
    ({ runners, source: only }) => (!runners || runners.includes(runner)) && (!only || !source || only === source),
  );
}

/** Names of those whose text is YAML: what is wrong in them is told by its line. */
export const YAML_FIELDS: readonly string[] = ['steps', 'groups', 'requests', 'headers'];
