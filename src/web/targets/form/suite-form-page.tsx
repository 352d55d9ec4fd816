import type { Overlap, OnFailure } from '#src/domain/targets/definitions.js';
import { Field } from '#src/web/components/form/field.js';
import { ItemFormPage, type ItemFormProps } from '#src/web/components/form/item-form-page.js';
import { Choice } from './choice.js';
import { SuiteEditor, type SuiteEntry } from './suite-editor.js';

export const ON_FAILURE: Record<OnFailure, string> = {
  continue: 'Continue with the other tests',
  stop: 'Stop starting tests',
};

export const OVERLAP: Record<Overlap, string> = {
  allow: 'Run concurrently',
  queue: 'Queue the new run',
  skip: 'Skip the new run',
  'stop-previous': 'Stop the earlier run',
};

export const NO_PRIORITY = 'Depends on the trigger';
export const PRIORITY: Record<string, string> = {
  1: '1 (highest)',
  2: '2',
  3: '3',
  4: '4',
  5: '5 (lowest)',
};

interface SuiteFormPageProps extends ItemFormProps {
  entries: readonly SuiteEntry[];
  /** The saved ones, when someone else has changed the suite. */
  current?: readonly SuiteEntry[] | undefined;
}

/** The form of a suite. */
export function SuiteFormPage({ entries, current, ...props }: SuiteFormPageProps) {
  return (
    <ItemFormPage {...props} kind="suite" assets={['sortable.js', 'suite-editor.js', 'suite-picker.js']}>
      <Field type="text" name="name" label="Name" autocomplete="off" />
      <SuiteEditor projectId={props.project.id} entries={entries} current={current} />
      <h2>Execution</h2>
      <div class="field-row">
        <Field type="number" name="parallelism" label="Concurrent tests" min={1} max={500} />
        <Field
          type="number"
          name="retryFailed"
          label="Retries of failed tests"
          min={0}
          max={10}
          hint="Failed tests are retried after all tests have run. The last verdict counts."
        />
        <Field
          type="text"
          name="timeoutMs"
          label="Timeout"
          required={false}
          hint="For the whole suite: 30m, 2h. Default: none."
        />
      </div>
      <div class="field-row">
        <Choice name="onFailure" label="When a test fails" from={ON_FAILURE} />
        <Choice name="overlap" label="When an earlier run is in progress" from={OVERLAP} help="outagesAndOverlap" />
        <Choice name="priority" label="Priority" from={PRIORITY} none={NO_PRIORITY} />
      </div>
    </ItemFormPage>
  );
}
