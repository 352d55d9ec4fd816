import { Field, TextArea } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';

export interface ImportPageProps {
  page: PageContext & { viewer: Viewer };
  /** As they were sent. */
  values?: { text: string; folder: string };
  problem?: FormProblem | undefined;
}

/** GET /projects/import: takes a project file; what it would change is shown first. */
export function ImportPage({ page, values, problem }: ImportPageProps) {
  const ofLines = problem?.fields.filter(({ field }) => field.startsWith('line ')) ?? [];
  return (
    <Layout page={page} title="Import a project file">
      <p class="crumbs">
        <a href="/">Projects</a>
      </p>
      <h1>Import a project file</h1>
      <p>
        The project becomes what its file says: tests and suites are made, changed, and archived where the file has them
        no more. You see what would change before anything does.
      </p>
      <Form
        action="/projects/import"
        viewer={page.viewer}
        problem={problem}
        enctype="multipart/form-data"
        class="card-box"
      >
        {ofLines.length > 0 ? (
          <ul aria-label="What is wrong with the file">
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
          problem={problemOf(problem, 'file')}
          required={false}
          hint="YAML or JSON, up to 5 MiB."
        />
        <TextArea
          name="text"
          label="Or paste it"
          value={values?.text}
          problem={problemOf(problem, 'text')}
          required={false}
          rows={values?.text ? 14 : 6}
          isCode
        />
        <Field
          type="text"
          name="folder"
          label="Folder of relative working folders"
          value={values?.folder}
          problem={problemOf(problem, 'folder')}
          required={false}
          autocomplete="off"
          hint="An absolute folder on the workers’ machines. Needed only where the file has relative ones."
        />
        <FormButtons cancel="/">Show what would change</FormButtons>
      </Form>
    </Layout>
  );
}
