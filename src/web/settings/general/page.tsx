import { Facts } from '#src/web/components/facts.js';
import { Field } from '#src/web/components/form/field.js';
import { Form, textIn, type FormState } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

interface GeneralPageProps extends SettingsProps {
  form: FormState;
  createdAt: Date;
  slug: string;
}

/** Settings, General: name and retention; the project as a file; its removal. */
export function GeneralPage(props: GeneralPageProps) {
  const { page, project, form, createdAt, slug } = props;
  const retentionDays = textIn(form.values, 'retentionDays');
  return (
    <SettingsLayout page={page} project={project} tab="general">
      {project.may('project.edit') ? (
        <EditForm {...props} />
      ) : (
        <Facts
          of={[
            ['Name', project.name],
            ['Retention', retentionDays ? `${retentionDays} days` : 'Server default'],
          ]}
        />
      )}
      <Facts
        of={[
          ['Created', <Moment at={createdAt} />],
          ['Slug', <code>{slug}</code>],
          ['Project ID', <code>{project.id}</code>],
        ]}
      />
      <h2>Project file</h2>
      <p>
        The project with its tests and suites as one YAML file. Keep it next to your code, or import it on another
        server. It contains no secrets and no runs.
      </p>
      <p>
        <a class="btn btn-outline-primary" href={settingsPath(project, 'export')} download>
          Download project file
        </a>
      </p>
      {project.may('project.remove') ? (
        <>
          <h2>Remove project</h2>
          <p>Members lose access, and the webhooks stop working. Confirmation is required.</p>
          <p>
            <a class="btn btn-outline-danger" href={settingsPath(project, 'remove')} data-dialog>
              Remove project
            </a>
          </p>
        </>
      ) : null}
    </SettingsLayout>
  );
}

function EditForm({ page, project, form }: GeneralPageProps) {
  return (
    <Form action={settingsPath(project, 'general')} viewer={page.viewer} form={form} class="card-box">
      <Field name="name" label="Name" type="text" />
      <Field
        name="retentionDays"
        label="Retention (days)"
        type="number"
        min={1}
        max={3650}
        required={false}
        hint="How long completed runs and their logs are kept. Leave empty for the server default."
      />
      <button type="submit" class="btn btn-primary">
        Save
      </button>
    </Form>
  );
}
