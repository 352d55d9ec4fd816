import { TextArea } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';

export interface TokenNetworksPageProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  number: number;
  /** One a line, as it is or as it was typed. */
  networks: string;
  /** The viewer's own. */
  address: string;
  problem?: FormProblem | undefined;
}

/** GET /projects/{id}/integrations/webhooks/{number}/networks: from where a token takes calls. */
export function TokenNetworksPage({ page, project, number, networks, address, problem }: TokenNetworksPageProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  const title = `From where does webhook token ${number} take calls?`;
  return (
    <Layout page={page} title={title}>
      <h1>{title}</h1>
      <p>Calls from elsewhere are answered 404, as if there were no such webhook.</p>
      <Form action={`${path}/${number}/networks`} viewer={page.viewer} problem={problem} class="card-box">
        <TextArea
          name="allowedNetworks"
          label="Addresses and networks"
          value={networks}
          required={false}
          isCode
          hint={
            <>
              One a line, such as <code>192.0.2.7</code>, <code>10.0.0.0/8</code> or <code>2001:db8::/32</code>. Empty:
              from everywhere. Your own address here is <code>{address}</code>.
            </>
          }
          problem={problemOf(problem, 'allowedNetworks')}
        />
        <FormButtons cancel={path}>Save</FormButtons>
      </Form>
    </Layout>
  );
}
