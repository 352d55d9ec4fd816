import type { FormProblem } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { ConfirmPage } from '#src/web/confirm-page.js';

interface ConfirmRevokeTokenProps {
  page: SignedInPage;
  project: ProjectContext;
  token: { number: number; lastUsedAt?: Date | undefined };
  /** No other token is active. */
  isOnly: boolean;
  problem?: FormProblem | undefined;
}

/** GET /projects/{id}/integrations/webhooks/{number}/revoke */
export function ConfirmRevokeToken({ page, project, token, isOnly, problem }: ConfirmRevokeTokenProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  return (
    <ConfirmPage
      page={page}
      title={`Revoke webhook token ${token.number}?`}
      verb="Revoke"
      action={`${path}/${token.number}/revoke`}
      back={path}
      problem={problem}
    >
      <p>
        Every URL of the project “{project.name}” with this token will return 404. This cannot be undone. Runs in
        progress continue.
      </p>
      {isOnly ? (
        <p class="notice bad">
          This is the only active token: no webhook of the project works until you create a new token. To switch without
          interruption, rotate the token instead.
        </p>
      ) : null}
      <p>
        {token.lastUsedAt ? (
          <>
            It was last used <Moment at={token.lastUsedAt} />.
          </>
        ) : (
          'It has never been used.'
        )}
      </p>
    </ConfirmPage>
  );
}
