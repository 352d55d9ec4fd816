import type { VariableSet } from '#src/domain/variables/variables.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import { Empty } from '#src/web/components/empty-state.js';
import { Form } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { formatCount } from '#src/web/texts/format.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';
import { DocsLink } from '#src/web/components/docs-link.js';

/** Settings, Variables: the variable sets of the project. */
export function VariablesPage({
  page,
  project,
  variableSets,
}: SettingsProps & { variableSets: readonly VariableSet[] }) {
  const mayEdit = project.may('variables.edit');
  const make = (
    <a class="btn btn-primary" href={settingsPath(project, 'variables/new')}>
      New variable set
    </a>
  );
  return (
    <SettingsLayout page={page} project={project} tab="variables">
      <p>
        Tests get the variables of a variable set as environment variables. The default variable set applies to every
        run; a run can add another one, such as “Staging”. <DocsLink to="variables" />
      </p>
      {variableSets.length === 0 ? (
        <Empty title="No variable sets yet">
          <p>
            Create one for values that differ between environments, such as URLs, accounts and passwords. Secret values
            are encrypted.
          </p>
          {mayEdit ? make : null}
        </Empty>
      ) : (
        <>
          {mayEdit ? <p>{make}</p> : null}
          <DataTable
            items={variableSets}
            columns={[
              {
                label: 'Variable set',
                cell: ({ _id, name, isDefault }) => (
                  <>
                    <a href={settingsPath(project, `variables/${_id}`)}>{name}</a>
                    {isDefault ? <span class="badge-word">default</span> : null}
                  </>
                ),
              },
              { label: 'Variables', cell: (variableSet) => <Variables {...variableSet} /> },
              { label: 'Changed', cell: ({ modifiedAt }) => <Moment at={modifiedAt} /> },
            ]}
            actions={mayEdit && ((variableSet) => <Actions page={page} project={project} variableSet={variableSet} />)}
          />
        </>
      )}
    </SettingsLayout>
  );
}

const SHOWN_KEYS = 5;

function Variables({ variables }: VariableSet) {
  const keys = variables.slice(0, SHOWN_KEYS).map(({ key }) => key);
  return (
    <>
      {formatCount(variables.length, 'variable')}
      {keys.length > 0 ? (
        <span class="muted">
          : {keys.join(', ')}
          {variables.length > SHOWN_KEYS ? ', …' : ''}
        </span>
      ) : null}
    </>
  );
}

function Actions({
  page,
  project,
  variableSet: { _id, name, isDefault },
}: SettingsProps & { variableSet: VariableSet }) {
  const path = settingsPath(project, `variables/${_id}`);
  return (
    <>
      {isDefault ? null : (
        <Form action={`${path}/default`} viewer={page.viewer} class="inline-form">
          <button type="submit" class="btn btn-sm btn-outline-secondary" aria-label={`Make default: ${name}`}>
            Make default
          </button>
        </Form>
      )}{' '}
      <DialogLink href={`${path}/remove`} label={`Remove ${name}`} isDangerous>
        Remove
      </DialogLink>
    </>
  );
}
