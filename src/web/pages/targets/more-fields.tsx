import { Field, TextArea } from '../../components/field.js';
import { SourceFields } from './source-fields.js';
import { optionalFields, type TestFieldsProps } from './test-form.js';

const LIMITS = {
  memoryMiB: { label: 'Memory, MiB', max: 1_048_576, min: 16 },
  processes: { label: 'Processes', max: 100_000, min: 1 },
  outputMiB: { label: 'Output, MiB', max: 1024, min: 1 },
  diskMiB: { label: 'Growth of its folder, MiB', max: 1_048_576, min: 1 },
};

const INSIDE = ['results', 'artifacts', 'setup', 'limits'];

/** What most tests do not need: out of the way until it is used or wrong. */
export function MoreFields(props: TestFieldsProps) {
  const { values, at } = props;
  const { texts, runner, source } = values;
  const optional = optionalFields(props);
  const isSource = runner !== 'command';
  const names = isSource ? [...INSIDE, 'cwd', 'git'] : INSIDE;
  const isUsed = Object.entries(texts).some(([name, text]) => text !== '' && names.includes(name.split('.')[0]!));
  const isOpen = isUsed || (isSource && source !== 'none') || names.some((name) => at(name) !== undefined);
  return (
    <details class="more-fields" open={isOpen}>
      <summary>More: {isSource ? 'files' : 'results'}, setup, artifacts, limits</summary>
      {isSource ? (
        <SourceFields {...props} />
      ) : (
        <Field
          type="text"
          {...optional('results.junit')}
          label="JUnit results"
          autocomplete="off"
          hint={
            <>
              Where the command leaves its JUnit XML files: <code>out/*.xml</code>. Each case is shown on the run’s
              page.
            </>
          }
        />
      )}
      <TextArea
        {...optional('artifacts')}
        label="Artifacts"
        rows={2}
        isCode
        hint={
          <>
            Files that are kept with the run, a path or pattern a line: <code>report/**</code>.
          </>
        }
      />
      <SetupFields {...props} />
      <h2>Limits</h2>
      <p class="muted">
        Of the setup and of a test’s own command. Empty: as the worker is set up. What needs more is ended, and the run
        says which limit it was.
      </p>
      <div class="field-row">
        {Object.entries(LIMITS).map(([name, { label, min, max }]) => (
          <Field key={name} type="number" {...optional(`limits.${name}`)} label={label} min={min} max={max} />
        ))}
      </div>
    </details>
  );
}

function SetupFields(props: TestFieldsProps) {
  const optional = optionalFields(props);
  return (
    <>
      <h2>Setup</h2>
      <TextArea
        {...optional('setup.command')}
        label="Setup command"
        rows={2}
        isCode
        hint={
          <>
            Runs before the test in its folder: <code>npm ci</code>.
          </>
        }
      />
      <div class="field-row">
        <TextArea
          {...optional('setup.key')}
          label="It follows from"
          rows={2}
          isCode
          hint={
            <>
              <code>package-lock.json</code>: while these files are the same, it does not run again.
            </>
          }
        />
        <TextArea
          {...optional('setup.keep')}
          label="It makes"
          rows={2}
          isCode
          hint={
            <>
              <code>node_modules</code>: folders that are kept for the next run.
            </>
          }
        />
        <Field type="text" {...optional('setup.timeoutMs')} label="Its time limit" hint="At most 30m. Empty: 10m." />
      </div>
    </>
  );
}
