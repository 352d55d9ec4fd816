import { DataTable } from '#src/web/components/data-table.js';
import { CheckBox, Field } from '#src/web/components/form/field.js';
import { Form, problemOf, type FormProblem } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { VariableRow, type VariableFields } from '#src/web/components/form/variable-row.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

/** A variable set as its form holds it. */
export interface VariableSetFields {
  name: string;
  isDefault: boolean;
  variables: readonly VariableFields[];
  /** The revision that the form shows; 0: a new one. */
  revision: number;
}

export interface VariableSetPageProps extends SettingsProps {
  /** Absent: a new one. */
  id?: string | undefined;
  fields: VariableSetFields;
  problem?: FormProblem | undefined;
}

/** A variable set: its form, or the same to read for who may not change it. */
export function VariableSetPage(props: VariableSetPageProps) {
  const { page, project, id, fields } = props;
  return (
    <SettingsLayout
      page={page}
      project={project}
      tab="variables"
      title={id === undefined ? 'New variable set' : `Variable set “${fields.name}”`}
      assets={['settings.css', 'variables.js']}
    >
      {project.may('variables.edit') ? <VariableSetForm {...props} /> : <VariableSetTable fields={fields} />}
      <p>
        <a href={settingsPath(project, 'variables')}>All variable sets</a>
      </p>
    </SettingsLayout>
  );
}

function VariableSetForm({ page, project, id, fields, problem }: VariableSetPageProps) {
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
        <CheckBox name="isDefault" label="Default: applies to every run of the project" isChecked={isDefault} />
      </div>
      <h2>Variables</h2>
      <p class="muted">
        Names consist of letters, digits and _. Secret values are encrypted, masked in logs and never shown again. Leave
        a secret value empty to keep the current one.
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
          Add variable
        </button>
      </p>
      <FormButtons cancel={settingsPath(project, 'variables')}>Save variable set</FormButtons>
    </Form>
  );
}

function VariableSetTable({ fields: { isDefault, variables } }: Pick<VariableSetPageProps, 'fields'>) {
  return (
    <>
      <p>
        {isDefault
          ? 'The default variable set applies to every run of the project.'
          : 'Applies to runs that select it.'}
      </p>
      {variables.length === 0 ? <p class="muted">No variables yet.</p> : null}
      {variables.length > 0 ? (
        <DataTable
          items={variables}
          columns={[
            { label: 'Variable', cell: ({ key }) => <code>{key}</code> },
            {
              label: 'Value',
              cell: ({ value, isSecret }) =>
                isSecret ? <span class="muted">Secret (hidden)</span> : <span class="text">{value}</span>,
            },
          ]}
        />
      ) : null}
    </>
  );
}
