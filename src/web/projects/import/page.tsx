import { Field, TextArea } from '#src/web/components/form/field.js';
import { Form, textIn, type FormState } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { Layout } from '#src/web/layout/layout.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';

interface ImportPageProps {
  page: SignedInPage;
  form: FormState;
}

/** GET /projects/import: imports a project file, after a preview of its changes. */
export function ImportPage({ page, form }: ImportPageProps) {
  const ofLines = form.problem?.fields.filter(({ field }) => field.startsWith('line ')) ?? [];
  return (
    <Layout page={page} title="Import a project file">
      <p class="crumbs">
        <a href="/">Projects</a>
      </p>
      <h1>Import a project file</h1>
      <p>
        The project is updated to match the file: tests and suites are created, updated, and archived if the file no
        longer contains them. You can review the changes first.
      </p>
      <Form action="/projects/import" viewer={page.viewer} form={form} enctype="multipart/form-data" class="card-box">
        {ofLines.length > 0 ? (
          <ul aria-label="Errors in the file">
            {ofLines.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <b>{field}</b>: {message}
              </li>
            ))}
          </ul>
        ) : null}
        <Field
          type="file"
          name="file"
          label="Project file"
          required={false}
          hint="YAML or JSON, up to 5 MiB."
          help="projectFiles"
        />
        <TextArea name="text" label="Or paste it" required={false} rows={textIn(form.values, 'text') ? 14 : 6} isCode />
        <Field
          type="text"
          name="folder"
          label="Base of relative working folders"
          required={false}
          autocomplete="off"
          hint="An absolute folder on the workers’ machines. Required only if the file contains relative folders."
        />
        <FormButtons cancel="/">Review changes</FormButtons>
      </Form>
    </Layout>
  );
}
