import { argumentsOf, wordsOf } from '../../../../domain/command-line.js';
import { DEFAULTS, LONGEST_TEST_MS } from '../../../../domain/definition-fields.js';
import { newTest } from '../../../../domain/definition-schemas.js';
import type { CommandTest } from '../../../../domain/definitions.js';
import { envOf, envText } from '../../../../domain/env-text.js';
import { InvalidInputError } from '../../../../domain/errors.js';
import { durationText } from '../../../../domain/project-file-duration.js';
import type { Target } from '../../../../services/definitions/targets.js';
import { formatCommand } from '../../../../web/format.js';
import { EditPage } from '../../../../web/pages/targets/edit-page.js';
import { TestFields, type TestFormValues } from '../../../../web/pages/targets/test-form.js';
import { checked } from '../../../pages/checked.js';
import { FieldReader } from '../../../pages/field-reader.js';
import type { Form } from '../../../pages/form-fields.js';
import { readDuration } from '../../../pages/read-duration.js';
import type { TargetForm } from './target-form.js';

const FIELDS = ['name', 'command', 'cwd', 'env', 'timeoutMs', 'retries', 'pool'] as const;

/** The form of a test. */
export const testForm: TargetForm<TestFormValues> = {
  // A command and its variables, each sent with three bytes for one.
  maxBytes: 2 * 1024 * 1024,
  fields: FIELDS,

  read(form, there) {
    const fields = new FieldReader();
    const shown = there && valuesOf(there);
    const definition = there?.definition as CommandTest | undefined;
    const isAsShown = (field: 'command' | 'env') =>
      shown !== undefined && lines(form.raw(field)) === lines(shown[field]) && !form.isChecked('commandIsLines');
    const value = {
      name: form.text('name'),
      command: isAsShown('command') ? definition!.command : fields.read('command', () => readCommand(form)),
      cwd: form.text('cwd'),
      env: isAsShown('env') ? definition!.env : fields.read('env', () => envOf(form.raw('env'))),
      timeoutMs: fields.read('timeoutMs', () => readDuration(form.text('timeoutMs'), LONGEST_TEST_MS)),
      retries: form.number('retries'),
      pool: form.text('pool'),
    };
    return checked(newTest, value, fields.problems);
  },

  valuesOf: async (target) => valuesOf(target),

  typed: async (form) => ({
    name: form.raw('name'),
    command: form.raw('command'),
    commandIsLines: form.isChecked('commandIsLines'),
    cwd: form.raw('cwd'),
    env: form.raw('env'),
    timeoutMs: form.raw('timeoutMs'),
    retries: form.raw('retries'),
    pool: form.raw('pool'),
  }),

  shown: (values, field) => lines(String(values[field as keyof TestFormValues])).trim(),

  page: (props, values) =>
    EditPage({ ...props, kind: 'test', children: TestFields({ values, problem: props.problem }) }),
};

function valuesOf(target: Target | undefined): TestFormValues {
  const { name = '', definition } = target ?? {};
  const { command, cwd = '', env, timeoutMs, retries, pool } = { ...DEFAULTS.test, ...(definition as CommandTest) };
  return {
    name,
    command: command ? formatCommand(command) : '',
    commandIsLines: false,
    cwd,
    env: envText(env),
    timeoutMs: durationText(timeoutMs),
    retries: String(retries),
    pool,
  };
}

function readCommand(form: Form): string[] {
  const text = form.raw('command');
  if (text.trim() === '') throw new InvalidInputError('Write the program and its arguments, as you would in a shell.');
  return form.isChecked('commandIsLines') ? argumentsOf(text) : wordsOf(text);
}

/** Browsers send another end of line than they were given. */
function lines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
