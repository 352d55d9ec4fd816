import { Field } from '#src/web/components/form/field.js';
import type { RunnerKind } from '#src/domain/targets/runner-types.js';
import { SOURCES, type SourceChoice } from './test-sources.js';

export interface SourceFieldsProps {
  runner: RunnerKind;
  source: SourceChoice;
}

/** Where the files come from. Fields of the other sources are hidden and ignored. */
export function SourceFields({ runner, source }: SourceFieldsProps) {
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
          name="cwd"
          required={false}
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
          name="git.url"
          required={false}
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
            name="git.ref"
            required={false}
            label="Branch, tag or commit"
            autocomplete="off"
            hint="Default: the repository’s default branch."
          />
          <Field
            type="text"
            name="git.path"
            required={false}
            label="Folder in the repository"
            autocomplete="off"
            hint="Working folder of the test. Default: the repository’s root."
          />
        </div>
      </div>
    </fieldset>
  );
}
