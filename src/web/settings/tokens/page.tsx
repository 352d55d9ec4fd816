import type { ApiToken } from '#src/domain/people/people.js';
import { PROJECT_TOKEN_SCOPES } from '#src/domain/people/rights.js';
import { ApiTokenForm } from '#src/web/components/form/api-token-form.js';
import { ApiTokenTable, NewApiToken } from '#src/web/components/api-tokens.js';
import type { FormProblem, FormState } from '#src/web/components/form/form.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

interface TokensPageProps extends SettingsProps {
  tokens: readonly ApiToken[];
  form: FormState;
}

/** Settings, API tokens: those of the project, and a form for another. */
export function TokensPage({ page, project, tokens, form }: TokensPageProps) {
  const path = settingsPath(project, 'tokens');
  return (
    <SettingsLayout page={page} project={project} tab="tokens">
      <p>
        Project tokens remain valid when people leave. Each acts as an editor of this project only. Webhooks do not need
        one: their URL contains a webhook token, see <a href={`/projects/${project.id}/integrations`}>Integrations</a>.
      </p>
      <ApiTokenTable tokens={tokens} path={path} />
      <h2>Create a token</h2>
      <ApiTokenForm action={path} scopes={PROJECT_TOKEN_SCOPES} viewer={page.viewer} form={form} />
    </SettingsLayout>
  );
}

/** A new token of the project, shown only once. */
export function TokenMade({ page, project, name, token }: SettingsProps & { name: string; token: string }) {
  return (
    <SettingsLayout page={page} project={project} tab="tokens" title={`The token “${name}” created`}>
      <NewApiToken token={token} path={settingsPath(project, 'tokens')} />
    </SettingsLayout>
  );
}

interface OfToken extends SettingsProps {
  id: string;
  name: string;
  problem?: FormProblem | undefined;
}

/** Asks before a token of the project is revoked. */
export function ConfirmRevokeToken({ page, project, id, name, problem }: OfToken) {
  return (
    <ConfirmPage
      page={page}
      title={`Revoke the token “${name}”?`}
      verb="Revoke token"
      action={settingsPath(project, `tokens/${id}/revoke`)}
      back={settingsPath(project, 'tokens')}
      problem={problem}
    >
      <p>Requests with this token will return 401. This cannot be undone.</p>
    </ConfirmPage>
  );
}
