import type { Profile } from '../../../domain/variables.js';
import { Empty } from '../../components/empty.js';
import { Form } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { formatCount } from '../../format.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

/** Settings, Variables: the profiles of the project. */
export function VariablesPage({ page, project, profiles }: SettingsProps & { profiles: readonly Profile[] }) {
  const mayEdit = project.may('variables.edit');
  const make = (
    <a class="btn btn-primary" href={settingsPath(project, 'variables/new')}>
      New profile
    </a>
  );
  return (
    <SettingsLayout page={page} project={project} tab="variables">
      <p>
        A profile is a set of variables that tests get as their environment. The default one counts for every run; a run
        may choose another on top of it, such as “Staging”.
      </p>
      {profiles.length === 0 ? (
        <Empty title="No profile yet">
          <p>
            Make one for what differs from place to place: addresses, accounts, passwords. Secret values are sealed.
          </p>
          {mayEdit ? make : null}
        </Empty>
      ) : (
        <>
          {mayEdit ? <p>{make}</p> : null}
          <table>
            <thead>
              <tr>
                <th scope="col">Profile</th>
                <th scope="col">Variables</th>
                <th scope="col">Changed</th>
                {mayEdit ? <th scope="col">Actions</th> : null}
              </tr>
            </thead>
            <tbody>
              {profiles.map((profile) => (
                <ProfileRow key={profile._id} page={page} project={project} profile={profile} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </SettingsLayout>
  );
}

const SHOWN_KEYS = 5;

function ProfileRow({ page, project, profile }: SettingsProps & { profile: Profile }) {
  const { _id, name, isDefault, variables, modifiedAt } = profile;
  const path = settingsPath(project, `variables/${_id}`);
  const keys = variables.slice(0, SHOWN_KEYS).map(({ key }) => key);
  return (
    <tr>
      <th scope="row">
        <a href={path}>{name}</a>
        {isDefault ? <span class="badge-word">default</span> : null}
      </th>
      <td data-label="Variables">
        {formatCount(variables.length, 'variable')}
        {keys.length > 0 ? (
          <span class="muted">
            : {keys.join(', ')}
            {variables.length > SHOWN_KEYS ? ', …' : ''}
          </span>
        ) : null}
      </td>
      <td data-label="Changed">
        <Moment at={modifiedAt} />
      </td>
      {project.may('variables.edit') ? (
        <td class="actions">
          {isDefault ? null : (
            <Form action={`${path}/default`} viewer={page.viewer} class="inline-form">
              <button type="submit" class="btn btn-sm btn-outline-secondary" aria-label={`Make default: ${name}`}>
                Make default
              </button>
            </Form>
          )}{' '}
          <a class="btn btn-sm btn-outline-danger" href={`${path}/remove`} data-dialog aria-label={`Remove ${name}`}>
            Remove
          </a>
        </td>
      ) : null}
    </tr>
  );
}
