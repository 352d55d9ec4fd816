import type { ApiToken } from '../../domain/people.js';
import { SCOPES, type Scope } from '../../domain/rights.js';
import type { Viewer } from '../layout/viewer.js';
import { Copy } from './copy.js';
import { Empty } from './empty.js';
import { CheckBox, Field, Select } from './field.js';
import { Form, problemOf, type FormProblem } from './form.js';
import { Moment } from './moment.js';

/** What each scope opens, in a person's words. */
const SCOPE_TEXTS: Record<Scope, string> = {
  read: 'read: look at tests, suites, runs and logs',
  run: 'run: start and stop runs',
  edit: 'edit: change tests, suites and variables',
};

/** How long a new token may be good. */
export const TOKEN_LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Until it is revoked' },
] as const;

/** API tokens, each with what it opens and a link to revoke it. @param path below which `/{id}/revoke` asks */
export function ApiTokenTable({ tokens, path }: { tokens: readonly ApiToken[]; path: string }) {
  if (tokens.length === 0)
    return (
      <Empty title="No API token yet">
        <p>
          A token lets a script or a CI job call the API, or the <code>runhook</code> command. Make one below.
        </p>
      </Empty>
    );
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Opens</th>
          <th scope="col">Made by</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">Good until</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {tokens.map(({ id, name, scopes, createdAt, createdBy, lastUsedAt, expiresAt }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td data-label="Opens">{scopes.join(', ')}</td>
            <td data-label="Made by">{createdBy}</td>
            <td data-label="Made">
              <Moment at={createdAt} />
            </td>
            <td data-label="Last used">{lastUsedAt ? <Moment at={lastUsedAt} /> : 'never'}</td>
            <td data-label="Good until">{expiresAt ? <Moment at={expiresAt} /> : 'it is revoked'}</td>
            <td class="actions">
              <a
                class="btn btn-sm btn-outline-danger"
                href={`${path}/${id}/revoke`}
                data-dialog
                aria-label={`Revoke the token ${name}`}
              >
                Revoke
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A new token as it was typed. */
export interface TypedApiToken {
  name: string;
  scopes: readonly string[];
  lifetime: string;
}

export interface ApiTokenFormProps {
  action: string;
  viewer: Viewer;
  typed?: TypedApiToken | undefined;
  problem?: FormProblem | undefined;
}

/** Makes an API token. */
export function ApiTokenForm({ action, viewer, typed, problem }: ApiTokenFormProps) {
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
        {SCOPES.map((scope) => (
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

/** A new token, shown this once. */
export function NewApiToken({ token, path }: { token: string; path: string }) {
  return (
    <>
      <Copy id="api-token" text={token} label="Copy the token" />
      <p class="notice">
        It is shown this once only. Keep it where secrets are kept; if it gets lost, revoke it and make another.
      </p>
      <p>Send it with every call:</p>
      <Copy id="api-token-header" text="Authorization: Token <API token>" label="Copy the header" />
      <p>
        <a class="btn btn-outline-secondary" href={path}>
          Back to the tokens
        </a>
      </p>
    </>
  );
}
