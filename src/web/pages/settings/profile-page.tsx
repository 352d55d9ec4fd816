import { CheckBox, Field } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { VariableRow, type VariableFields } from '../../components/variable-row.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

/** A profile as its form holds it. */
export interface ProfileFields {
  name: string;
  isDefault: boolean;
  variables: readonly VariableFields[];
  /** What the form was made from; 0, there is none yet. */
  revision: number;
}

export interface ProfilePageProps extends SettingsProps {
  /** Absent: a new one. */
  id?: string | undefined;
  fields: ProfileFields;
  problem?: FormProblem | undefined;
}

/** A profile of variables: its form, or the same to read for who may not change it. */
export function ProfilePage(props: ProfilePageProps) {
  const { page, project, id, fields } = props;
  return (
    <SettingsLayout
      page={page}
      project={project}
      tab="variables"
      title={id === undefined ? 'New profile of variables' : `Profile “${fields.name}”`}
      assets={['settings.css', 'variables.js']}
    >
      {project.may('variables.edit') ? <ProfileForm {...props} /> : <ProfileTable fields={fields} />}
      <p>
        <a href={settingsPath(project, 'variables')}>All profiles</a>
      </p>
    </SettingsLayout>
  );
}

function ProfileForm({ page, project, id, fields, problem }: ProfilePageProps) {
  const { name, isDefault, variables, revision } = fields;
  return (
    <Form
      action={settingsPath(project, id === undefined ? 'variables/new' : `variables/${id}`)}
      viewer={page.viewer}
      problem={problem}
    >
      {/* The first button of a form is what the Enter key presses: it must not be one that removes a row. */}
      <button type="submit" class="visually-hidden" tabindex={-1} aria-hidden="true">
        Save
      </button>
      <input type="hidden" name="revision" value={revision} />
      <div class="card-box">
        <Field name="name" label="Name" type="text" value={name} problem={problemOf(problem, 'name')} />
        <CheckBox name="isDefault" label="Default: counts for every run of the project" isChecked={isDefault} />
      </div>
      <h2>Variables</h2>
      <p class="muted">
        Names are letters, digits and _. A secret value is sealed, masked in logs and never shown again; leave it empty
        to keep the one that is set.
      </p>
      <ol class="variables" data-rows>
        {variables.map((variable, index) => (
          <VariableRow key={index} index={index} variable={variable} problem={problem} />
        ))}
      </ol>
      <template data-row>
        <VariableRow index="INDEX" variable={{ key: '', value: '', isSecret: false }} />
      </template>
      <p class="mt-2">
        <button type="submit" class="btn btn-sm btn-outline-primary" name="step" value="add" data-add-row>
          Add a variable
        </button>
      </p>
      <FormButtons cancel={settingsPath(project, 'variables')}>Save the profile</FormButtons>
    </Form>
  );
}

function ProfileTable({ fields: { isDefault, variables } }: Pick<ProfilePageProps, 'fields'>) {
  return (
    <>
      <p>{isDefault ? 'The default: it counts for every run of the project.' : 'Counts for runs that choose it.'}</p>
      {variables.length === 0 ? <p class="muted">It holds no variable yet.</p> : null}
      {variables.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">Variable</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {variables.map(({ key, value, isSecret }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                <td data-label="Value">
                  {isSecret ? <span class="muted">secret: set, not shown</span> : <span class="text">{value}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </>
  );
}
