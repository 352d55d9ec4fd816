import { Form, textIn, type FormState } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { Select } from '#src/web/components/form/field.js';
import { Layout } from '#src/web/layout/layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

/** How long old tokens may stay active beside a new one. */
const OVERLAPS = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '0', label: 'None: revoke immediately' },
] as const;

interface RotateTokenPageProps {
  page: SignedInPage;
  project: ProjectContext;
  /** How many tokens are active. */
  liveTokens: number;
  /** With a `key`: the same form sent twice creates one token. */
  form: FormState;
}

/** GET /projects/{id}/integrations/webhooks/rotate: what it does, and for how long the old tokens stay. */
export function RotateTokenPage({ page, project, liveTokens, form }: RotateTokenPageProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  const isFirst = liveTokens === 0;
  const title = isFirst ? 'Create a webhook token?' : 'Rotate the webhook token?';
  return (
    <Layout page={page} title={title}>
      <h1>{title}</h1>
      <p>
        All webhook URLs of the project “{project.name}” get a new token.{' '}
        {isFirst ? 'URLs with older tokens remain invalid.' : 'Update the URLs wherever they are used.'}
      </p>
      {isFirst ? null : (
        <p>
          URLs with the old token work for the period that you choose here, then return 404. Runs in progress continue.
        </p>
      )}
      <Form action={`${path}/rotate`} viewer={page.viewer} form={form} class="card-box">
        <input type="hidden" name="key" value={textIn(form.values, 'key')} />
        {isFirst ? (
          <input type="hidden" name="keepOldForHours" value="0" />
        ) : (
          <Select
            name="keepOldForHours"
            label={liveTokens > 1 ? 'Keep the old tokens for' : 'Keep the old token for'}
            options={OVERLAPS}
            hint="Tokens that expire sooner are not extended."
          />
        )}
        <FormButtons cancel={path}>{isFirst ? 'Create token' : 'Rotate'}</FormButtons>
      </Form>
    </Layout>
  );
}
