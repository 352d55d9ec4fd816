import type { Overlap, OnFailure } from '#src/domain/targets/definitions.js';
import { Field, Select } from '#src/web/components/form/field.js';
import { problemOf, type FormProblem } from '#src/web/components/form/form.js';
import { SuiteEditor, type SuiteEntry } from './suite-editor.js';
import type { DocTopic } from '#src/web/texts/doc-links.js';

/** What stands in the fields of a suite's form. */
export interface SuiteFormValues {
  name: string;
  tests: SuiteEntry[];
  parallelism: string;
  onFailure: string;
  overlap: string;
  retryFailed: string;
  timeoutMs: string;
  priority: string;
}

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

export const PRIORITY: Record<string, string> = {
  '': 'Depends on the trigger',
  1: '1 (highest)',
  2: '2',
  3: '3',
  4: '4',
  5: '5 (lowest)',
};

export interface SuiteFieldsProps {
  values: SuiteFormValues;
  projectId: string;
  problem?: FormProblem | undefined;
}

/** The fields of a suite. */
export function SuiteFields({ values, projectId, problem }: SuiteFieldsProps) {
  const at = (name: string) => problemOf(problem, name);
  return (
    <>
      <Field type="text" name="name" label="Name" value={values.name} problem={at('name')} autocomplete="off" />
      <SuiteEditor projectId={projectId} entries={values.tests} problem={at('tests')} />
      <h2>Execution</h2>
      <div class="field-row">
        <Field
          type="number"
          name="parallelism"
          label="Concurrent tests"
          value={values.parallelism}
          problem={at('parallelism')}
          min={1}
          max={500}
        />
        <Field
          type="number"
          name="retryFailed"
          label="Retries of failed tests"
          value={values.retryFailed}
          problem={at('retryFailed')}
          min={0}
          max={10}
          hint="Failed tests are retried after all tests have run. The last verdict counts."
        />
        <Field
          type="text"
          name="timeoutMs"
          label="Timeout"
          value={values.timeoutMs}
          problem={at('timeoutMs')}
          required={false}
          hint="For the whole suite: 30m, 2h. Default: none."
        />
      </div>
      <div class="field-row">
        <Choice name="onFailure" label="When a test fails" from={ON_FAILURE} value={values.onFailure} at={at} />
        <Choice
          name="overlap"
          label="When an earlier run is in progress"
          from={OVERLAP}
          help="outagesAndOverlap"
          value={values.overlap}
          at={at}
        />
        <Choice name="priority" label="Priority" from={PRIORITY} value={values.priority} at={at} required={false} />
      </div>
    </>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  from: Record<string, string>;
  value: string;
  at: (name: string) => string | undefined;
  required?: boolean;
  help?: DocTopic;
}

function Choice({ name, label, from, value, at, required = true, help }: ChoiceProps) {
  const options = Object.entries(from).map(([value, label]) => ({ value, label }));
  // Numbers are keys in front of all others.
  options.sort((a, b) => Number(b.value === '') - Number(a.value === ''));
  return (
    <Select
      name={name}
      label={label}
      options={options}
      value={value}
      problem={at(name)}
      required={required}
      help={help}
    />
  );
}
