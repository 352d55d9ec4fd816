import { Field } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { Layout } from '#src/web/layout/layout.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';

interface NewProjectPageProps {
  page: SignedInPage;
  form: FormState;
}

/** GET /projects/new */
export function NewProjectPage({ page, form }: NewProjectPageProps) {
  return (
    <Layout page={page} title="New project">
      <p class="crumbs">
        <a href="/">Projects</a>
      </p>
      <h1>New project</h1>
      <p>
        You become the owner and can invite others. Already have a project file?{' '}
        <a href="/projects/import">Import it</a>.
      </p>
      <Form action="/projects/new" viewer={page.viewer} form={form} class="card-box">
        <Field type="text" name="name" label="Name" autocomplete="off" />
        <Field
          type="number"
          name="retentionDays"
          label="Retention (days)"
          required={false}
          min={1}
          max={3650}
          hint="Leave empty for the server default."
        />
        <FormButtons cancel="/">Create project</FormButtons>
      </Form>
    </Layout>
  );
}
