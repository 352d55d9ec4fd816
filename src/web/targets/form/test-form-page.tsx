import { Field, Select, TextArea } from '#src/web/components/form/field.js';
import { useForm } from '#src/web/components/form/form.js';
import { ItemFormPage, type ItemFormProps } from '#src/web/components/form/item-form-page.js';
import { RUNNER_TEXTS } from '#src/web/texts/runner-texts.js';
import { BrowserFields } from './browser-fields.js';
import { CommandFields } from './command-fields.js';
import { HttpFields } from './http-fields.js';
import { KindChoice } from './runner-type-choice.js';
import { MoreFields } from './more-fields.js';
import { SourceFields, type SourceFieldsProps } from './source-fields.js';

interface TestFormPageProps extends ItemFormProps, SourceFieldsProps {
  /** Names of the pools that the project may use. */
  pools: readonly string[];
}

const OWN_FIELDS = { command: CommandFields, browser: BrowserFields, http: HttpFields };

/** The form of a test. */
export function TestFormPage({ runner, source, pools, ...props }: TestFormPageProps) {
  const OwnFields = OWN_FIELDS[runner];
  return (
    <ItemFormPage {...props} kind="test" assets={['test-form.css', 'line-numbers.js']}>
      {props.edited ? (
        <p class="muted">{RUNNER_TEXTS[runner].name} test. To use another runner type, create a new test.</p>
      ) : (
        <KindChoice chosen={runner} path={`/projects/${props.project.id}/tests/new`} />
      )}
      <input type="hidden" name="runner" value={runner} />
      <Field type="text" name="name" label="Name" autocomplete="off" />
      <OwnFields />
      {runner === 'command' ? <SourceFields runner={runner} source={source} /> : null}
      <TextArea
        name="env"
        label="Variables"
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
      <ExecutionFields pools={pools} />
      <MoreFields runner={runner} source={source} />
    </ItemFormPage>
  );
}

function ExecutionFields({ pools }: Pick<TestFormPageProps, 'pools'>) {
  return (
    <div class="field-row">
      <Field type="text" name="timeoutMs" label="Timeout" hint="For each attempt: 90s, 5m, 2h." />
      <Field
        type="number"
        name="retries"
        label="Retries"
        min={0}
        max={10}
        hint="Additional attempts when the test does not pass."
      />
      <Select
        name="pool"
        label="Pool"
        options={poolOptions(pools, useForm().text('pool'))}
        hint="The pool of runners that executes the test. Admins assign pools to projects."
        help="pools"
      />
    </div>
  );
}

/** Includes the saved one, even if the project no longer has access to it. */
function poolOptions(pools: readonly string[], saved: string) {
  const options = pools.map((value) => ({ value, label: value }));
  return saved === '' || pools.includes(saved)
    ? options
    : [...options, { value: saved, label: `${saved} (not available)` }];
}
