import type { Scope } from '#src/domain/people/rights.js';
import type { Viewer } from '#src/web/layout/page-context.js';
import { CheckBox, Field, Select } from './field.js';
import { Form, useForm, type FormState } from './form.js';

/** What each scope allows. */
const SCOPE_TEXTS: Record<Scope, string> = {
  read: 'read: view tests, suites, runs and logs',
  run: 'run: start and stop runs',
  edit: 'edit: create and change tests, suites, schedules and variables',
  admin: 'admin: manage members, invitations, tokens and users within your role',
};

/** After how many days a new token expires. */
export const TOKEN_LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Never' },
] as const;

/** What the form of a new token contains. */
export const NEW_API_TOKEN = { name: '', scopes: ['read', 'run'], lifetime: '365' };

export interface ApiTokenFormProps {
  action: string;
  /** To choose from. */
  scopes: readonly Scope[];
  viewer: Viewer;
  form: FormState;
}

/** Creates an API token. */
export function ApiTokenForm({ action, scopes, viewer, form }: ApiTokenFormProps) {
  return (
    <Form action={action} viewer={viewer} form={form} class="card-box">
      <Field name="name" label="Name" type="text" hint="What the token is for, such as “CI”." help="tokens" />
      <Scopes scopes={scopes} />
      <Select name="lifetime" label="Expires" options={TOKEN_LIFETIMES} />
      <button type="submit" class="btn btn-primary">
        Create token
      </button>
    </Form>
  );
}

function Scopes({ scopes }: Pick<ApiTokenFormProps, 'scopes'>) {
  const problem = useForm().problemAt('scopes');
  return (
    <fieldset class="field" aria-describedby={problem ? 'scopes-problem' : undefined}>
      <legend class="form-label">Scopes</legend>
      {scopes.map((scope) => (
        <CheckBox key={scope} name="scopes" value={scope} label={SCOPE_TEXTS[scope]} />
      ))}
      {problem ? (
        <div class="invalid-feedback" id="scopes-problem">
          {problem}
        </div>
      ) : null}
    </fieldset>
  );
}
