import { TextArea } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { Layout } from '#src/web/layout/layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

interface TokenNetworksPageProps {
  page: SignedInPage;
  project: ProjectContext;
  number: number;
  /** The viewer's own. */
  address: string;
  form: FormState;
}

/** GET /projects/{id}/integrations/webhooks/{number}/networks: from which addresses a token accepts calls. */
export function TokenNetworksPage({ page, project, number, address, form }: TokenNetworksPageProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  const title = `Allowed networks of webhook token ${number}`;
  return (
    <Layout page={page} title={title}>
      <h1>{title}</h1>
      <p>Calls from other addresses get 404, as if the webhook did not exist.</p>
      <Form action={`${path}/${number}/networks`} viewer={page.viewer} form={form} class="card-box">
        <TextArea
          name="allowedNetworks"
          label="Addresses and networks"
          required={false}
          isCode
          help="webhookTokens"
          hint={
            <>
              One per line, such as <code>192.0.2.7</code>, <code>10.0.0.0/8</code> or <code>2001:db8::/32</code>. If
              empty, all addresses are allowed. Your current address is <code>{address}</code>.
            </>
          }
        />
        <FormButtons cancel={path}>Save</FormButtons>
      </Form>
    </Layout>
  );
}
