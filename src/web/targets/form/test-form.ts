import Joi from 'joi';
import { DEFAULTS } from '#src/domain/targets/definition-fields.js';
import { newTest } from '#src/domain/targets/definition-schemas.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import { RUNNERS, type RunnerKind } from '#src/domain/targets/runner-types.js';
import type { ItemForm } from '#src/server/forms/item-form.js';
import { readForm, writeFields } from '#src/server/forms/read-form.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { textIn } from '#src/web/components/form/form.js';
import { exampleOf } from './test-examples.js';
import { COMMAND_AS_LINES, PARTS_WITH_FIELDS, testFields } from './test-fields.js';
import { TestFormPage } from './test-form-page.js';
import { sourceNamed, type SourceChoice } from './test-sources.js';

/** The form of a test of any runner type, which is chosen when the test is created. */
export function testForm({ publicUrl, definitions }: RouteDeps): ItemForm<TestDefinition> {
  return {
    kind: 'test',
    service: definitions.tests,
    // A command and its variables, or steps, each sent with three bytes for one.
    maxBytes: 2 * 1024 * 1024,
    query: { runner: Joi.string().valid(...RUNNERS) },
    newValues({ query }) {
      const runner = runnerNamed(query.runner);
      const definition = { ...exampleOf(runner, publicUrl), runner };
      return valuesOf('', definition, sourceNamed('', runner));
    },
    valuesOf: ({ name, definition }) => valuesOf(name, definition, sourceOf(definition)),
    read(form, _projectId, existing) {
      const before = existing?.definition;
      const runner = before?.runner ?? runnerNamed(form.raw('runner'));
      const source = sourceNamed(form.raw('source'), runner);
      const fields = { ...testFields(runner, source), ...(form.isChecked('commandIsLines') ? COMMAND_AS_LINES : {}) };
      // A timeout alone is no setup.
      const hasSetup = ['setup.command', 'setup.key', 'setup.keep'].some((name) => form.text(name));
      const used = Object.entries(fields).filter(([name]) => hasSetup || !name.startsWith('setup.'));
      return readForm(form, newTest, Object.fromEntries(used), {
        existing: existing && { ...DEFAULTS.test, ...before, name: existing.name },
        // A repository without its URL is reported as such.
        rest: { ...withoutField(before), runner, ...(source === 'git' ? { git: {} } : {}) },
      });
    },
    async show(props) {
      const { values } = props.form;
      const runner = runnerNamed(values.runner);
      const source = sourceNamed(textIn(values, 'source'), runner);
      return TestFormPage({ ...props, runner, source, pools: await definitions.poolsOf(props.project.id) });
    },
    created: (name) => `The test “${name}” is created. Run it to check that it works.`,
    saved: (name) => `“${name}” is saved. Runs in progress keep the old version.`,
  };
}

/** The parts of a definition that the form does not change. */
function withoutField(definition: object = {}): object {
  return Object.fromEntries(Object.entries(definition).filter(([part]) => !PARTS_WITH_FIELDS.has(part)));
}

function valuesOf(
  name: string,
  definition: Partial<TestDefinition> & Pick<TestDefinition, 'runner'>,
  source: SourceChoice,
) {
  const { runner } = definition;
  const fields = testFields(runner, 'folder', 'git');
  return { ...writeFields(fields, { ...DEFAULTS.test, ...definition, name }), runner, source };
}

function sourceOf({ git, cwd }: TestDefinition): SourceChoice {
  return git ? 'git' : cwd === undefined ? 'none' : 'folder';
}

function runnerNamed(text: unknown): RunnerKind {
  return RUNNERS.find((runner) => runner === text) ?? 'command';
}
