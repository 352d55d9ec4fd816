import type { ComponentChildren } from 'preact';
import { Form, type FormProblem } from './components/form/form.js';
import { Layout } from './layout/layout.js';
import type { SignedInPage } from './layout/page-context.js';

interface ConfirmPageProps {
  page: SignedInPage;
  /** A question: `Archive the test "Checkout"?` */
  title: string;
  /** What the button says: a verb. */
  verb: string;
  /** Where the form is sent. */
  action: string;
  /** Where "Cancel" leads. */
  back: string;
  isDangerous?: boolean;
  problem?: FormProblem | undefined;
  /** A choice that goes with it. */
  fields?: ComponentChildren;
  /** What will happen. */
  children: ComponentChildren;
}

/** Says what an action does and asks. A page of its own, and a dialog where scripts run (`data-dialog`). */
export function ConfirmPage(props: ConfirmPageProps) {
  const { page, title, verb, action, back, isDangerous = true, problem, fields, children } = props;
  return (
    <Layout page={page} title={title}>
      <h1>{title}</h1>
      {children}
      <Form action={action} viewer={page.viewer} form={{ problem }}>
        {fields}
        <div class="buttons">
          <button type="submit" class={`btn ${isDangerous ? 'btn-danger' : 'btn-primary'}`}>
            {verb}
          </button>
          <a class="btn btn-outline-secondary" href={back}>
            Cancel
          </a>
        </div>
      </Form>
    </Layout>
  );
}
