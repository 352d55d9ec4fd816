import { DEFAULTS, LONGEST_SUITE_MS } from '#src/domain/targets/definition-fields.js';
import { newSuite } from '#src/domain/targets/definition-schemas.js';
import type { SuiteDefinition } from '#src/domain/targets/definitions.js';
import type { ItemForm } from '#src/server/forms/item-form.js';
import { readForm, writeFields, type FormFields } from '#src/server/forms/read-form.js';
import { durationUpTo, numberText, plainText, rawText, required, wordsText } from '#src/server/forms/text-values.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { textIn, type FormValues } from '#src/web/components/form/form.js';
import { entriesOf } from './suite-entries.js';
import { SuiteFormPage } from './suite-form-page.js';

const FIELDS: FormFields = {
  name: rawText,
  tests: required(wordsText, 'Add at least one test.'),
  parallelism: numberText,
  retryFailed: numberText,
  timeoutMs: durationUpTo(LONGEST_SUITE_MS),
  onFailure: plainText,
  overlap: plainText,
  priority: numberText,
};

/** The form of a suite. */
export function suiteForm({
  definitions: { suites, tests },
}: Pick<RouteDeps, 'definitions'>): ItemForm<SuiteDefinition> {
  const entriesIn = (projectId: string, values: FormValues) =>
    entriesOf(tests, projectId, wordsText.read(textIn(values, 'tests')) ?? []);

  return {
    kind: 'suite',
    service: suites,
    // 10,000 IDs.
    maxBytes: 1024 * 1024,
    newValues: () => writeFields(FIELDS, DEFAULTS.suite),
    valuesOf: ({ name, definition }) => writeFields(FIELDS, { ...DEFAULTS.suite, ...definition, name }),
    read: (form) => readForm(form, newSuite, FIELDS),
    async show(props) {
      const { project, form } = props;
      const entries = await entriesIn(project.id, form.values);
      const current = form.current && (await entriesIn(project.id, form.current));
      return SuiteFormPage({ ...props, entries, current });
    },
    created: (name) => `The suite “${name}” is created. Run it to check that it works.`,
    saved: (name) => `“${name}” is saved. Runs in progress keep the old version.`,
  };
}
