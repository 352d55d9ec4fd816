import { Field, TextArea } from '#src/web/components/form/field.js';
import { SourceFields } from './source-fields.js';
import { optionalFields, type TestFieldsProps } from './test-form-values.js';
import { DocsLink } from '#src/web/components/docs-link.js';

const LIMITS = {
  memoryMiB: { label: 'Memory, MiB', max: 1_048_576, min: 16 },
  processes: { label: 'Processes', max: 100_000, min: 1 },
  outputMiB: { label: 'Output, MiB', max: 1024, min: 1 },
  diskMiB: { label: 'Disk, MiB', max: 1_048_576, min: 1 },
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
          help="junitResults"
          autocomplete="off"
          hint={
            <>
              Path of the JUnit XML files that the command writes: <code>out/*.xml</code>. The run’s page lists each
              case.
            </>
          }
        />
      )}
      <TextArea
        {...optional('artifacts')}
        label="Artifacts"
        help="artifacts"
        rows={2}
        isCode
        hint={
          <>
            Files to store with the run, one path or pattern per line: <code>report/**</code>.
          </>
        }
      />
      <SetupFields {...props} />
      <h2>Limits</h2>
      <p class="muted">
        Limits of the setup command and the test’s command. Leave empty for the worker’s defaults. A process that
        exceeds a limit is terminated, and the run reports the limit. <DocsLink to="testLimits" />
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
        help="setupCommands"
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
          label="Cache key files"
          rows={2}
          isCode
          hint={
            <>
              <code>package-lock.json</code>: the setup command runs again only when these files change.
            </>
          }
        />
        <TextArea
          {...optional('setup.keep')}
          label="Cached folders"
          rows={2}
          isCode
          hint={
            <>
              <code>node_modules</code>: folders that are reused by the next run.
            </>
          }
        />
        <Field type="text" {...optional('setup.timeoutMs')} label="Setup timeout" hint="Up to 30m. Default: 10m." />
      </div>
    </>
  );
}
