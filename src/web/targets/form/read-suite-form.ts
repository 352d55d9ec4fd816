import { DEFAULTS, LONGEST_SUITE_MS } from '#src/domain/targets/definition-fields.js';
import { newSuite } from '#src/domain/targets/definition-schemas.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import { durationText } from '#src/domain/project-file/duration.js';
import type { ItemService } from '#src/services/targets/target-service.js';
import { EditPage } from '#src/web/targets/edit/page.js';
import { ON_FAILURE, OVERLAP, PRIORITY, SuiteFields, type SuiteFormValues } from './suite-form.js';
import { checked } from '#src/server/pages/checked.js';
import { FieldReader } from '#src/server/pages/field-reader.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { readDuration } from '#src/server/pages/read-duration.js';
import { entriesOf } from './suite-entries.js';
import type { TargetForm } from './target-form.js';

const FIELDS = [
  'name',
  'tests',
  'parallelism',
  'retryFailed',
  'timeoutMs',
  'onFailure',
  'overlap',
  'priority',
] as const;

/** The form of a suite. */
export function suiteForm(
  tests: Pick<ItemService<TestDefinition>, 'named'>,
): TargetForm<SuiteDefinition, SuiteFormValues> {
  return {
    // 10,000 ids.
    maxBytes: 1024 * 1024,
    fields: FIELDS,

    read(form) {
      const fields = new FieldReader();
      const ids = idsOf(form);
      const value = {
        name: form.text('name'),
        tests: ids,
        parallelism: form.number('parallelism'),
        onFailure: form.text('onFailure'),
        retryFailed: form.number('retryFailed'),
        timeoutMs: fields.read('timeoutMs', () => readDuration(form.text('timeoutMs'), LONGEST_SUITE_MS)),
        overlap: form.text('overlap'),
        priority: form.number('priority'),
      };
      if (ids.length === 0) fields.problems.push({ field: 'tests', message: 'Add at least one test.' });
      return checked(newSuite, value, fields.problems);
    },

    async valuesOf(target) {
      const { name = '', projectId = '', definition } = target ?? {};
      const suite: Partial<SuiteDefinition> = { ...DEFAULTS.suite, ...definition };
      return {
        name,
        tests: await entriesOf(tests, projectId, suite.tests ?? []),
        parallelism: String(suite.parallelism),
        onFailure: String(suite.onFailure),
        overlap: String(suite.overlap),
        retryFailed: String(suite.retryFailed),
        timeoutMs: suite.timeoutMs === undefined ? '' : durationText(suite.timeoutMs),
        priority: suite.priority === undefined ? '' : String(suite.priority),
      };
    },

    typed: async (form, projectId) => ({
      name: form.raw('name'),
      tests: await entriesOf(tests, projectId, idsOf(form)),
      parallelism: form.raw('parallelism'),
      onFailure: form.raw('onFailure'),
      overlap: form.raw('overlap'),
      retryFailed: form.raw('retryFailed'),
      timeoutMs: form.raw('timeoutMs'),
      priority: form.raw('priority'),
    }),

    shown(values, field) {
      const value = values[field as keyof SuiteFormValues];
      if (field === 'tests') return values.tests.map(({ name }) => name).join(', ');
      const words: Record<string, Record<string, string>> = {
        onFailure: ON_FAILURE,
        overlap: OVERLAP,
        priority: PRIORITY,
      };
      return words[field]?.[String(value)] ?? String(value).trim();
    },

    page: (props, values) =>
      EditPage({
        ...props,
        kind: 'suite',
        assets: ['sortable.js', 'suite-editor.js', 'suite-picker.js'],
        children: SuiteFields({ values, projectId: props.project.id, problem: props.problem }),
      }),
  };
}

function idsOf(form: Form): string[] {
  return form.raw('tests').split(/\s+/).filter(Boolean);
}
