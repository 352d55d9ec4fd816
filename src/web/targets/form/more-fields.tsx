import { Field, TextArea } from '#src/web/components/form/field.js';
import { useForm } from '#src/web/components/form/form.js';
import { SourceFields, type SourceFieldsProps } from './source-fields.js';
import { DocsLink } from '#src/web/components/docs-link.js';

const LIMITS = {
  memoryMiB: { label: 'Memory, MiB', max: 1_048_576, min: 16 },
  processes: { label: 'Processes', max: 100_000, min: 1 },
  outputMiB: { label: 'Output, MiB', max: 1024, min: 1 },
  diskMiB: { label: 'Disk, MiB', max: 1_048_576, min: 1 },
};

const FIELDS = [
  ...['results.junit', 'artifacts', 'setup.command', 'setup.key', 'setup.keep', 'setup.timeoutMs'],
  ...Object.keys(LIMITS).map((name) => `limits.${name}`),
];
const SOURCE_FIELDS = ['cwd', 'git.url', 'git.ref', 'git.path'];

/** Fields that most tests do not need; open if one of them is used or wrong. */
export function MoreFields({ runner, source }: SourceFieldsProps) {
  const { text, problemAt } = useForm();
  const hasSource = runner !== 'command';
  const names = hasSource ? [...FIELDS, ...SOURCE_FIELDS] : FIELDS;
  const isOpen = (hasSource && source !== 'none') || names.some((name) => text(name) || problemAt(name));
  return (
    <details class="more-fields" open={isOpen}>
      <summary>More: {hasSource ? 'files' : 'results'}, setup, artifacts, limits</summary>
      {hasSource ? (
        <SourceFields runner={runner} source={source} />
      ) : (
        <Field
          type="text"
          name="results.junit"
          required={false}
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
        name="artifacts"
        required={false}
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
      <SetupFields />
      <h2>Limits</h2>
      <p class="muted">
        Limits of the setup command and the test’s command. Leave empty for the worker’s defaults. A process that
        exceeds a limit is terminated, and the run reports the limit. <DocsLink to="testLimits" />
      </p>
      <div class="field-row">
        {Object.entries(LIMITS).map(([name, { label, min, max }]) => (
          <Field key={name} type="number" name={`limits.${name}`} required={false} label={label} min={min} max={max} />
        ))}
      </div>
    </details>
  );
}

function SetupFields() {
  return (
    <>
      <h2>Setup</h2>
      <TextArea
        name="setup.command"
        required={false}
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
          name="setup.key"
          required={false}
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
          name="setup.keep"
          required={false}
          label="Cached folders"
          rows={2}
          isCode
          hint={
            <>
              <code>node_modules</code>: folders that are reused by the next run.
            </>
          }
        />
        <Field
          type="text"
          name="setup.timeoutMs"
          required={false}
          label="Setup timeout"
          hint="Up to 30m. Default: 10m."
        />
      </div>
    </>
  );
}
