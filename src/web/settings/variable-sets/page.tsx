import { DataTable } from '#src/web/components/data-table.js';
import { CheckBox, Field } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { DefaultButton, FormButtons } from '#src/web/components/form/form-buttons.js';
import { VariableRow, type VariableFields } from '#src/web/components/form/variable-row.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

/** What the form of a variable set contains. */
export type VariableSetValues = {
  name: string;
  /** Of the check box. */
  isDefault: string;
  variables: readonly VariableFields[];
};

interface VariableSetPageProps extends SettingsProps {
  /** Absent: a new one. */
  id?: string | undefined;
  form: FormState<VariableSetValues>;
}

/** A variable set: its form, or a table for those who cannot change it. */
export function VariableSetPage(props: VariableSetPageProps) {
  const { page, project, id, form } = props;
  return (
    <SettingsLayout
      page={page}
      project={project}
      tab="variables"
      title={id === undefined ? 'New variable set' : `Variable set “${form.values.name}”`}
      assets={['settings.css', 'variables.js']}
    >
      {project.may('variables.edit') ? <VariableSetForm {...props} /> : <VariableSetTable {...form.values} />}
      <p>
        <a href={settingsPath(project, 'variables')}>All variable sets</a>
      </p>
    </SettingsLayout>
  );
}

function VariableSetForm({ page, project, id, form }: VariableSetPageProps) {
  const { values, current, problem } = form;
  return (
    <Form
      action={settingsPath(project, id === undefined ? 'variables/new' : `variables/${id}`)}
      viewer={page.viewer}
      form={form}
    >
      <DefaultButton />
      <div class="card-box">
        <Field name="name" label="Name" type="text" />
        <CheckBox name="isDefault" label="Default: applies to every run of the project" />
      </div>
      <h2>Variables</h2>
      <p class="muted">
        Names consist of letters, digits and _. Secret values are encrypted, masked in logs and never shown again. Leave
        a secret value empty to keep the current one.
      </p>
      {current ? <CurrentVariables values={values} current={current} /> : null}
      <ol class="variables" data-rows>
        {values.variables.map((variable, index) => (
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

/** What someone else has saved, unless it is the same. */
function CurrentVariables({ values, current }: { values: VariableSetValues; current: VariableSetValues }) {
  const [entered, saved] = [values, current].map(({ variables }) =>
    variables.map(({ key, value, isSecret }) => (isSecret ? `${key} (secret)` : `${key}=${value}`)).join('\n'),
  );
  return saved === entered ? null : <p class="invalid-feedback text">Current value: {saved || 'empty'}</p>;
}

function VariableSetTable({ isDefault, variables }: VariableSetValues) {
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
