import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { Select } from '../../components/field.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';

/** How long old tokens may stay good beside a new one. */
export const OVERLAPS = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '0', label: 'Not at all: they are revoked at once' },
] as const;

export interface RotateTokenPageProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  /** How many tokens are good now. */
  liveTokens: number;
  /** The same form sent twice makes one token. */
  formKey: string;
  hours: string;
  problem?: FormProblem | undefined;
}

/** GET /projects/{id}/integrations/webhooks/rotate: what it does, and for how long the old tokens stay. */
export function RotateTokenPage({ page, project, liveTokens, formKey, hours, problem }: RotateTokenPageProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  const isFirst = liveTokens === 0;
  const title = isFirst ? 'Make a webhook token?' : 'Rotate the webhook token?';
  return (
    <Layout page={page} title={title}>
      <h1>{title}</h1>
      <p>
        All webhook URLs of the project “{project.name}” get a new token.{' '}
        {isFirst ? 'URLs with an older one stay closed.' : 'Where they are used, put in the new ones.'}
      </p>
      {isFirst ? null : (
        <p>
          URLs with the old token work until the time that you choose here; from then on they answer 404. Runs under way
          go on.
        </p>
      )}
      <Form action={`${path}/rotate`} viewer={page.viewer} problem={problem} class="card-box">
        <input type="hidden" name="key" value={formKey} />
        {isFirst ? (
          <input type="hidden" name="keepOldForHours" value="0" />
        ) : (
          <Select
            name="keepOldForHours"
            label={liveTokens > 1 ? 'The old tokens stay good for' : 'The old token stays good for'}
            options={OVERLAPS}
            value={hours}
            hint="Tokens that end sooner already stay so."
            problem={problemOf(problem, 'keepOldForHours')}
          />
        )}
        <FormButtons cancel={path}>{isFirst ? 'Make the token' : 'Rotate'}</FormButtons>
      </Form>
    </Layout>
  );
}
