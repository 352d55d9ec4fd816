import type { Scope } from '#src/domain/people/rights.js';
import type { Viewer } from '#src/web/layout/page-context.js';
import { CheckBox, Field, Select } from './field.js';
import { Form, problemOf, type FormProblem } from './form.js';

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

/** A new token as typed. */
export interface TypedApiToken {
  name: string;
  scopes: readonly string[];
  lifetime: string;
}

export interface ApiTokenFormProps {
  action: string;
  /** To choose from. */
  scopes: readonly Scope[];
  viewer: Viewer;
  typed?: TypedApiToken | undefined;
  problem?: FormProblem | undefined;
}

/** Creates an API token. */
export function ApiTokenForm({ action, scopes, viewer, typed, problem }: ApiTokenFormProps) {
  const scopeProblem = problemOf(problem, 'scopes');
  return (
    <Form action={action} viewer={viewer} problem={problem} class="card-box">
      <Field
        name="name"
        label="Name"
        type="text"
        value={typed?.name ?? ''}
        hint="What the token is for, such as “CI”."
        help="tokens"
      />
      <fieldset class="field" aria-describedby={scopeProblem ? 'scopes-problem' : undefined}>
        <legend class="form-label">Scopes</legend>
        {scopes.map((scope) => (
          <CheckBox
            key={scope}
            name="scopes"
            value={scope}
            label={SCOPE_TEXTS[scope]}
            isChecked={(typed?.scopes ?? ['read', 'run']).includes(scope)}
          />
        ))}
        {scopeProblem ? (
          <div class="invalid-feedback" id="scopes-problem">
            {scopeProblem}
          </div>
        ) : null}
      </fieldset>
      <Select name="lifetime" label="Expires" value={typed?.lifetime ?? '365'} options={TOKEN_LIFETIMES} />
      <button type="submit" class="btn btn-primary">
        Create token
      </button>
    </Form>
  );
}
