import { Field, Select, TextArea } from '#src/web/components/form/field.js';
import { problemOf, type FormProblem } from '#src/web/components/form/form.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';
import { RUNNER_TEXTS } from '#src/web/texts/runner-texts.js';
import { BrowserFields } from './browser-fields.js';
import { CommandFields } from './command-fields.js';
import { HttpFields } from './http-fields.js';
import { KindChoice } from './runner-type-choice.js';
import { MoreFields } from './more-fields.js';
import { SourceFields } from './source-fields.js';
import type { TestFieldsProps, TestFormValues } from './test-form-values.js';

export interface TestFormProps {
  values: TestFormValues;
  project: ProjectContext;
  /** Names of the pools that the project may use. */
  pools: readonly string[];
  /** The kind of a test that is there stays. */
  isNew: boolean;
  problem?: FormProblem | undefined;
}

const OWN_FIELDS = { command: CommandFields, browser: BrowserFields, http: HttpFields };

/** The fields of a test. */
export function TestFields({ values, project, pools, isNew, problem }: TestFormProps) {
  const { name, runner, texts } = values;
  const parts: TestFieldsProps = { values, at: problemOf.bind(undefined, problem) };
  const OwnFields = OWN_FIELDS[runner];
  return (
    <>
      {isNew ? (
        <KindChoice chosen={runner} path={`/projects/${project.id}/tests/new`} />
      ) : (
        <p class="muted">{RUNNER_TEXTS[runner].name} test. To use another runner type, create a new test.</p>
      )}
      <input type="hidden" name="runner" value={runner} />
      <Field type="text" name="name" label="Name" value={name} problem={parts.at('name')} autocomplete="off" />
      <OwnFields {...parts} />
      {runner === 'command' ? <SourceFields {...parts} /> : null}
      <TextArea
        name="env"
        label="Variables"
        value={texts.env}
        problem={parts.at('env')}
        required={false}
        rows={4}
        isCode
        help="variables"
        hint={
          <>
            <code>KEY=VALUE</code>, one per line.{' '}
            {runner === 'command' ? null : (
              <>
                Use them as <code>{'{{KEY}}'}</code> above.{' '}
              </>
            )}
            All project members can read these values. Store secrets in variable sets instead.
          </>
        }
      />
      <HowItRuns {...parts} pools={pools} />
      <MoreFields {...parts} />
    </>
  );
}

function HowItRuns({ values: { texts }, at, pools }: TestFieldsProps & Pick<TestFormProps, 'pools'>) {
  return (
    <div class="field-row">
      <Field
        type="text"
        name="timeoutMs"
        label="Timeout"
        value={texts.timeoutMs}
        problem={at('timeoutMs')}
        hint="For each attempt: 90s, 5m, 2h."
      />
      <Field
        type="number"
        name="retries"
        label="Retries"
        value={texts.retries}
        problem={at('retries')}
        min={0}
        max={10}
        hint="Additional attempts when the test does not pass."
      />
      <Select
        name="pool"
        label="Pool"
        value={texts.pool}
        problem={at('pool')}
        options={poolOptions(pools, texts.pool)}
        hint="The pool of runners that executes the test. Admins assign pools to projects."
        help="pools"
      />
    </div>
  );
}

/** With the one that is saved, even if the project has lost it. */
function poolOptions(pools: readonly string[], saved = '') {
  const options = pools.map((value) => ({ value, label: value }));
  return saved === '' || pools.includes(saved)
    ? options
    : [...options, { value: saved, label: `${saved} (not available)` }];
}
