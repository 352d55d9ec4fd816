import Joi from 'joi';
import { DEFAULTS } from '#src/domain/targets/definition-fields.js';
import { newTest } from '#src/domain/targets/definition-schemas.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import { RUNNERS, type RunnerKind } from '#src/domain/targets/runner-types.js';
import { InvalidInputError } from '#src/domain/errors.js';
import type { SetupCommand } from '#src/domain/targets/test-source.js';
import type { Test } from '#src/domain/records.js';
import { EditPage } from '#src/web/targets/edit/page.js';
import { TestFields } from './test-form.js';
import { SOURCES, type SourceChoice, type TestFormValues } from './test-form-values.js';
import { checked } from '#src/server/pages/checked.js';
import { FieldReader } from '#src/server/pages/field-reader.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { setValue, valueAt } from '#src/server/pages/nested-values.js';
import { argumentsText, lineInYaml, type TextValue } from '#src/server/pages/text-values.js';
import type { TargetForm } from './target-form.js';
import { exampleOf } from './test-examples.js';
import { fieldsOf, TEST_FIELDS, YAML_FIELDS } from './test-texts.js';

/**
 * The form of a test of any runner: which one is chosen when it is made.
 * @param publicUrl what examples look at
 * @param poolsOf names of the pools that a project may use
 */
export function testForm(
  publicUrl: string,
  poolsOf: (projectId: string) => Promise<string[]>,
): TargetForm<TestDefinition, TestFormValues> {
  return {
    // A command and its variables, or steps, each sent with three bytes for one.
    maxBytes: 2 * 1024 * 1024,
    fields: ['name', 'source', ...TEST_FIELDS.map(({ name }) => name)],
    query: { runner: Joi.string().valid(...RUNNERS) },
    read,
    valuesOf: async (target, asked) => (target ? valuesOf(target) : startValues(runnerNamed(asked?.runner), publicUrl)),
    typed: async (form) => typed(form),
    shown: ({ texts, ...values }, field) =>
      field === 'source' ? SOURCES[values.source] : lines(texts[field] ?? (field === 'name' ? values.name : '')).trim(),
    page: async (props, values) => {
      const { project, edited, problem } = props;
      const pools = await poolsOf(project.id);
      return EditPage({
        ...props,
        kind: 'test',
        assets: ['test-form.css', 'line-numbers.js'],
        children: TestFields({ values, project, pools, isNew: !edited, problem }),
      });
    },
  };
}

function read(form: Form, there: Test | undefined) {
  const before = there?.definition;
  const runner = before?.runner ?? runnerNamed(form.raw('runner'));
  const shown = there && valuesOf(there);
  const fields = new FieldReader();
  const value: Record<string, unknown> = { ...notInForm(before), name: form.text('name'), runner };
  const source = sourceIn(form, runner);
  // Its address is asked for, not the folder.
  if (source === 'git') value.git = {};
  for (const { name, text } of fieldsOf(runner, source)) {
    const isAsShown =
      shown !== undefined &&
      lines(form.raw(name)) === lines(shown.texts[name] ?? '') &&
      !(name === 'command' && form.isChecked('commandIsLines'));
    // What was not touched is what it was, whatever was lost in writing it.
    const found = isAsShown ? valueAt(before!, name) : fields.read(name, () => readText(form, name, text));
    if (found !== undefined) setValue(value, name, found);
  }
  if (!saysAnything(value.setup)) delete value.setup;
  return checked(newTest, value, fields.problems, (field, path) =>
    YAML_FIELDS.includes(field) ? lineInYaml(form.raw(field), path) : undefined,
  );
}

/** Whether more is said of a setup than how long it may take. */
function saysAnything(setup: unknown): boolean {
  const { command, key, keep } = (setup ?? {}) as Partial<SetupCommand>;
  return [command, key, keep].some((list) => list !== undefined && list.length > 0);
}

function readText(form: Form, name: string, text: TextValue): unknown {
  const written = form.raw(name);
  if (name !== 'command') return text.read(written);
  const command = (form.isChecked('commandIsLines') ? argumentsText : text).read(written);
  if (command === undefined) throw new InvalidInputError('Enter the program and its arguments, quoted as in a shell.');
  return command;
}

/** What a definition has that no field of the form is for. */
function notInForm(definition: TestDefinition | undefined): object {
  const shown = new Set(TEST_FIELDS.map(({ name }) => name.split('.')[0]));
  return Object.fromEntries(Object.entries(definition ?? {}).filter(([name]) => !shown.has(name)));
}

function valuesOf({ name, definition }: Pick<Test, 'name' | 'definition'>): TestFormValues {
  const test = { ...DEFAULTS.test, ...definition };
  const source = test.git ? 'git' : test.cwd !== undefined ? 'folder' : 'none';
  const texts = fieldsOf(test.runner).map(({ name, text }) => {
    const value = valueAt(test, name);
    return [name, value === undefined ? '' : text.write(value)] as const;
  });
  return { name, runner: test.runner, source, commandIsLines: false, texts: Object.fromEntries(texts) };
}

/** What stands in the fields of a new one. */
function startValues(runner: RunnerKind, publicUrl: string): TestFormValues {
  const definition = { ...DEFAULTS.test, ...exampleOf(runner, publicUrl), runner } as TestDefinition;
  return { ...valuesOf({ name: '', definition }), source: usualSource(runner) };
}

function typed(form: Form): TestFormValues {
  const runner = runnerNamed(form.raw('runner'));
  return {
    name: form.raw('name'),
    runner,
    source: sourceIn(form, runner),
    commandIsLines: form.isChecked('commandIsLines'),
    texts: Object.fromEntries(fieldsOf(runner).map(({ name }) => [name, form.raw(name)])),
  };
}

function sourceIn(form: Form, runner: RunnerKind): SourceChoice {
  const chosen = form.raw('source');
  return Object.hasOwn(SOURCES, chosen) ? (chosen as SourceChoice) : usualSource(runner);
}

function usualSource(runner: RunnerKind): SourceChoice {
  return runner === 'command' ? 'folder' : 'none';
}

function runnerNamed(text: unknown): RunnerKind {
  return RUNNERS.find((runner) => runner === text) ?? 'command';
}

/** Browsers send another end of line than they were given. */
function lines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
