import { Field } from '../../components/field.js';
import { optionalFields, SOURCES, type SourceChoice, type TestFieldsProps } from './test-form.js';

/** Where the files come from. Fields of what is not chosen are not shown, and not taken. */
export function SourceFields(props: TestFieldsProps) {
  const { runner, source } = props.values;
  const optional = optionalFields(props);
  const choices = (Object.keys(SOURCES) as SourceChoice[]).filter((one) => one !== 'none' || runner !== 'command');
  return (
    <fieldset class="source">
      <legend>Its files come from</legend>
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
          autocomplete="off"
          hint={
            <>
              <code>https://git.example.com/shop/tests.git</code>. A password or token belongs into a secret variable.
            </>
          }
        />
        <div class="field-row">
          <Field
            type="text"
            {...optional('git.ref')}
            label="Branch, tag or commit"
            autocomplete="off"
            hint="Empty: the repository’s default branch."
          />
          <Field
            type="text"
            {...optional('git.path')}
            label="Folder in it"
            autocomplete="off"
            hint="Where the test runs. Empty: its root."
          />
        </div>
      </div>
    </fieldset>
  );
}
