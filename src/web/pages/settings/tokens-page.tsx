import type { ApiToken } from '../../../domain/people.js';
import { PROJECT_TOKEN_SCOPES } from '../../../domain/rights.js';
import { ApiTokenForm, type TypedApiToken } from '../../components/api-token-form.js';
import { ApiTokenTable, NewApiToken } from '../../components/api-tokens.js';
import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

export interface TokensPageProps extends SettingsProps {
  tokens: readonly ApiToken[];
  typed?: TypedApiToken;
  problem?: FormProblem | undefined;
}

/** Settings, API tokens: those of the project, and a form for another. */
export function TokensPage({ page, project, tokens, typed, problem }: TokensPageProps) {
  const path = settingsPath(project, 'tokens');
  return (
    <SettingsLayout page={page} project={project} tab="tokens">
      <p>
        They belong to the project and stay when people leave. Each acts as an editor of this project, and does nothing
        elsewhere. Webhooks need none: their URL holds a token of its own, under{' '}
        <a href={`/projects/${project.id}/integrations`}>Integrations</a>.
      </p>
      <ApiTokenTable tokens={tokens} path={path} />
      <h2>Make a token</h2>
      <ApiTokenForm action={path} scopes={PROJECT_TOKEN_SCOPES} viewer={page.viewer} typed={typed} problem={problem} />
    </SettingsLayout>
  );
}

/** A new token of the project, this once. */
export function TokenMade({ page, project, name, token }: SettingsProps & { name: string; token: string }) {
  return (
    <SettingsLayout page={page} project={project} tab="tokens" title={`The token “${name}” is made`}>
      <NewApiToken token={token} path={settingsPath(project, 'tokens')} />
    </SettingsLayout>
  );
}

interface OfToken extends SettingsProps {
  id: string;
  name: string;
  problem?: FormProblem | undefined;
}

/** Asks before a token of the project ends. */
export function ConfirmRevokeToken({ page, project, id, name, problem }: OfToken) {
  return (
    <ConfirmPage
      page={page}
      title={`Revoke the token “${name}”?`}
      verb="Revoke the token"
      action={settingsPath(project, `tokens/${id}/revoke`)}
      back={settingsPath(project, 'tokens')}
      problem={problem}
    >
      <p>It opens nothing from then on: whatever uses it gets 401. This cannot be taken back.</p>
    </ConfirmPage>
  );
}
