import { Facts } from '../../components/facts.js';
import { Field } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

export interface GeneralFields {
  name: string;
  /** As typed; empty: as the server is told. */
  retentionDays: string;
  /** What the form was made from. */
  revision: number;
}

export interface GeneralPageProps extends SettingsProps {
  fields: GeneralFields;
  createdAt: Date;
  slug: string;
  problem?: FormProblem | undefined;
}

/** Settings, General: name and retention; the project as a file; its removal. */
export function GeneralPage(props: GeneralPageProps) {
  const { page, project, fields, createdAt, slug } = props;
  return (
    <SettingsLayout page={page} project={project} tab="general">
      {project.may('project.edit') ? (
        <EditForm {...props} />
      ) : (
        <Facts
          of={[
            ['Name', fields.name],
            ['Runs are kept', fields.retentionDays ? `${fields.retentionDays} days` : 'as long as this server is told'],
          ]}
        />
      )}
      <Facts
        of={[
          ['Made', <Moment at={createdAt} />],
          ['Short name', <code>{slug}</code>],
          ['Project id', <code>{project.id}</code>],
        ]}
      />
      <h2>The project as a file</h2>
      <p>
        Everything in it, its tests and suites, as one YAML file. Importing it again changes nothing; keep it beside
        your code, or bring it to another server. Secrets and runs are not in it.
      </p>
      <p>
        <a class="btn btn-outline-primary" href={settingsPath(project, 'export')} download>
          Download the project file
        </a>
      </p>
      {project.may('project.remove') ? (
        <>
          <h2>Remove the project</h2>
          <p>Nobody sees it any more, and its webhooks lead nowhere. You are asked before anything happens.</p>
          <p>
            <a class="btn btn-outline-danger" href={settingsPath(project, 'remove')} data-dialog>
              Remove this project
            </a>
          </p>
        </>
      ) : null}
    </SettingsLayout>
  );
}

function EditForm({ page, project, fields, problem }: GeneralPageProps) {
  return (
    <Form action={settingsPath(project, 'general')} viewer={page.viewer} problem={problem} class="card-box">
      <input type="hidden" name="revision" value={fields.revision} />
      <Field name="name" label="Name" type="text" value={fields.name} problem={problemOf(problem, 'name')} />
      <Field
        name="retentionDays"
        label="Keep runs for (days)"
        type="number"
        min={1}
        max={3650}
        required={false}
        value={fields.retentionDays}
        hint="Ended runs are removed with their logs after so many days. Leave it empty for what this server is told."
        problem={problemOf(problem, 'retentionDays')}
      />
      <button type="submit" class="btn btn-primary">
        Save
      </button>
    </Form>
  );
}
