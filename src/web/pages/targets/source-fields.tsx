import { Field } from '../../components/field.js';
import { SOURCES, type SourceChoice, type TestFieldsProps } from './test-form.js';

/** Where the files come from. Fields of what is not chosen are not shown, and not taken. */
export function SourceFields({ values: { runner, source, texts }, at }: TestFieldsProps) {
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
          name="cwd"
          label="Working folder"
          value={texts.cwd}
          problem={at('cwd')}
          required={false}
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
          name="git.url"
          label="Repository"
          value={texts['git.url']}
          problem={at('git.url')}
          required={false}
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
            name="git.ref"
            label="Branch, tag or commit"
            value={texts['git.ref']}
            problem={at('git.ref')}
            required={false}
            autocomplete="off"
            hint="Empty: the repository’s default branch."
          />
          <Field
            type="text"
            name="git.path"
            label="Folder in it"
            value={texts['git.path']}
            problem={at('git.path')}
            required={false}
            autocomplete="off"
            hint="Where the test runs. Empty: its root."
          />
        </div>
      </div>
    </fieldset>
  );
}
