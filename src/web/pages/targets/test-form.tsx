import { CheckBox, Field, TextArea } from '../../components/field.js';
import { problemOf, type FormProblem } from '../../components/form.js';

/** What stands in the fields of a test's form. */
export interface TestFormValues {
  name: string;
  command: string;
  /** One argument a line, each as it is; otherwise a command line. */
  commandIsLines: boolean;
  cwd: string;
  env: string;
  timeoutMs: string;
  retries: string;
  pool: string;
}

/** The fields of a test. */
export function TestFields({ values, problem }: { values: TestFormValues; problem?: FormProblem | undefined }) {
  const at = (name: string) => problemOf(problem, name);
  return (
    <>
      <Field type="text" name="name" label="Name" value={values.name} problem={at('name')} autocomplete="off" />
      <TextArea
        name="command"
        label="Command"
        value={values.command}
        problem={at('command')}
        rows={3}
        isCode
        hint={
          <>
            As in a shell: <code>npx playwright test "my shop.spec.ts"</code>. There is no shell behind it; for pipes
            and variables write <code>sh -c 'first && second'</code>. Exit code 0 is a pass.
          </>
        }
      />
      <CheckBox
        name="commandIsLines"
        label="One argument a line, each taken as it is (no quotes needed)"
        isChecked={values.commandIsLines}
      />
      <Field
        type="text"
        name="cwd"
        label="Working folder"
        value={values.cwd}
        problem={at('cwd')}
        autocomplete="off"
        hint={
          <>
            An absolute folder on the worker’s machine, such as <code>/srv/checks</code>.
          </>
        }
      />
      <TextArea
        name="env"
        label="Variables"
        value={values.env}
        problem={at('env')}
        required={false}
        rows={4}
        isCode
        hint={
          <>
            <code>KEY=VALUE</code>, one a line. Everybody in this project can read them: secrets belong into the
            project’s variables.
          </>
        }
      />
      <div class="field-row">
        <Field
          type="text"
          name="timeoutMs"
          label="Time limit"
          value={values.timeoutMs}
          problem={at('timeoutMs')}
          hint="Of one attempt: 90s, 5m, 2h."
        />
        <Field
          type="number"
          name="retries"
          label="Retries"
          value={values.retries}
          problem={at('retries')}
          min={0}
          max={10}
          hint="More attempts after one that did not pass."
        />
        <Field
          type="text"
          name="pool"
          label="Worker pool"
          value={values.pool}
          problem={at('pool')}
          autocomplete="off"
          hint="Which workers may run it."
        />
      </div>
    </>
  );
}
