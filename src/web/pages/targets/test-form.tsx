import type { RunnerKind } from '../../../domain/definitions.js';
import { Field, Select, TextArea } from '../../components/field.js';
import { problemOf, type FormProblem } from '../../components/form.js';
import type { ProjectContext } from '../../layout/viewer.js';
import { RUNNER_TEXTS } from '../../runner-texts.js';
import { BrowserFields } from './browser-fields.js';
import { CommandFields } from './command-fields.js';
import { HttpFields } from './http-fields.js';
import { KindChoice } from './kind-choice.js';
import { MoreFields } from './more-fields.js';
import { SourceFields } from './source-fields.js';

/** Where a test's files come from, in a person's words. */
export const SOURCES = {
  folder: 'A folder on the worker’s machine',
  git: 'A Git repository',
  none: 'Nowhere: it needs no files',
} as const;
export type SourceChoice = keyof typeof SOURCES;

/** What stands in the fields of a test's form. */
export interface TestFormValues {
  name: string;
  runner: RunnerKind;
  source: SourceChoice;
  /** One argument a line, each as it is; otherwise a command line. */
  commandIsLines: boolean;
  /** Of every field of its runner, by the path of its value in the definition. */
  texts: Record<string, string>;
}

/** What each part of the form is made from. */
export interface TestFieldsProps {
  values: TestFormValues;
  /** What is wrong with a field. */
  at(name: string): string | undefined;
}

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
        <p class="muted">{RUNNER_TEXTS[runner].name} test. To make another kind of it, make a new test.</p>
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
        hint={
          <>
            <code>KEY=VALUE</code>, one a line.{' '}
            {runner === 'command' ? null : (
              <>
                Written as <code>{'{{KEY}}'}</code> above.{' '}
              </>
            )}
            Everybody in this project can read them: secrets belong into the project’s variables.
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
        label="Time limit"
        value={texts.timeoutMs}
        problem={at('timeoutMs')}
        hint="Of one attempt: 90s, 5m, 2h."
      />
      <Field
        type="number"
        name="retries"
        label="Retries"
        value={texts.retries}
        problem={at('retries')}
        min={0}
        max={10}
        hint="More attempts after one that did not pass."
      />
      <Select
        name="pool"
        label="Pool"
        value={texts.pool}
        problem={at('pool')}
        options={poolOptions(pools, texts.pool)}
        hint="The group of runners that runs it. Admins decide which pools a project may use."
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

/** What a field that may be empty shows: the text that stands in it, and what is wrong with it. @returns by the field's name */
export function optionalFields({ values: { texts }, at }: Pick<TestFieldsProps, 'values' | 'at'>) {
  return (name: string) => ({ name, value: texts[name], problem: at(name), required: false as const });
}
