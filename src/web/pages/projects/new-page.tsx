import { Field } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';

export interface NewProjectPageProps {
  page: PageContext & { viewer: Viewer };
  /** As it was typed. */
  values?: { name: string; retentionDays: string };
  problem?: FormProblem | undefined;
}

/** GET /projects/new */
export function NewProjectPage({ page, values, problem }: NewProjectPageProps) {
  return (
    <Layout page={page} title="New project">
      <p class="crumbs">
        <a href="/">Projects</a>
      </p>
      <h1>New project</h1>
      <p>
        You become its owner and can invite others. There is a file already? <a href="/projects/import">Import it</a>.
      </p>
      <Form action="/projects/new" viewer={page.viewer} problem={problem} class="card-box">
        <Field
          type="text"
          name="name"
          label="Name"
          value={values?.name}
          problem={problemOf(problem, 'name')}
          autocomplete="off"
        />
        <Field
          type="number"
          name="retentionDays"
          label="Days that its runs are kept"
          value={values?.retentionDays}
          problem={problemOf(problem, 'retentionDays')}
          required={false}
          min={1}
          max={3650}
          hint="Empty: as long as this Runhook keeps runs."
        />
        <FormButtons cancel="/">Create the project</FormButtons>
      </Form>
    </Layout>
  );
}
