import type { Scope } from '../../domain/rights.js';
import type { Viewer } from '../layout/viewer.js';
import { CheckBox, Field, Select } from './field.js';
import { Form, problemOf, type FormProblem } from './form.js';

/** What each scope opens, in a person's words. */
const SCOPE_TEXTS: Record<Scope, string> = {
  read: 'read: look at tests, suites, runs and logs',
  run: 'run: start and stop runs',
  edit: 'edit: change tests, suites, schedules and variables',
  admin: 'admin: manage members, invitations, tokens and users as far as your role goes',
};

/** How long a new token may be good. */
export const TOKEN_LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Until it is revoked' },
] as const;

/** A new token as it was typed. */
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

/** Makes an API token. */
export function ApiTokenForm({ action, scopes, viewer, typed, problem }: ApiTokenFormProps) {
  const scopeProblem = problemOf(problem, 'scopes');
  return (
    <Form action={action} viewer={viewer} problem={problem} class="card-box">
      <Field
        name="name"
        label="Name"
        type="text"
        value={typed?.name ?? ''}
        hint="What it is for, such as “CI”."
        problem={problemOf(problem, 'name')}
      />
      <fieldset class="field" aria-describedby={scopeProblem ? 'scopes-problem' : undefined}>
        <legend class="form-label">What it opens</legend>
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
      <Select
        name="lifetime"
        label="Good for"
        value={typed?.lifetime ?? '365'}
        options={TOKEN_LIFETIMES}
        problem={problemOf(problem, 'lifetime')}
      />
      <button type="submit" class="btn btn-primary">
        Make the token
      </button>
    </Form>
  );
}
