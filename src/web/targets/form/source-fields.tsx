import { Field } from '#src/web/components/form/field.js';
import { optionalFields, SOURCES, type SourceChoice, type TestFieldsProps } from './test-form-values.js';

/** Where the files come from. Fields of what is not chosen are not shown, and not taken. */
export function SourceFields(props: TestFieldsProps) {
  const { runner, source } = props.values;
  const optional = optionalFields(props);
  const choices = (Object.keys(SOURCES) as SourceChoice[]).filter((one) => one !== 'none' || runner !== 'command');
  return (
    <fieldset class="source">
      <legend>Files</legend>
      {choices.map((one) => (
        <div key={one} class="form-check">
          <input
            class="form-check-input"
            type="radio"
            id={`source-${one}`}
            name="source"
            value={one}
            checked={one === source}
          />
          <label class="form-check-label" for={`source-${one}`}>
            {SOURCES[one]}
          </label>
        </div>
      ))}
      <div class="of-folder">
        <Field
          type="text"
          {...optional('cwd')}
          label="Working folder"
          help="workingFolders"
          autocomplete="off"
          hint={
            <>
              An absolute folder on the worker’s machine, such as <code>/srv/checks</code>.
            </>
          }
        />
      </div>
      <div class="of-git">
        <Field
          type="text"
          {...optional('git.url')}
          label="Repository"
          help="gitRepositories"
          autocomplete="off"
          hint={
            <>
              <code>https://git.example.com/shop/tests.git</code>. Store passwords and tokens in secret variables.
            </>
          }
        />
        <div class="field-row">
          <Field
            type="text"
            {...optional('git.ref')}
            label="Branch, tag or commit"
            autocomplete="off"
            hint="Default: the repository’s default branch."
          />
          <Field
            type="text"
            {...optional('git.path')}
            label="Folder in the repository"
            autocomplete="off"
            hint="Working folder of the test. Default: the repository’s root."
          />
        </div>
      </div>
    </fieldset>
  );
}
