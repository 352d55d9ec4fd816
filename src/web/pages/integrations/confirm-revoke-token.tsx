import type { FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';
import { ConfirmPage } from '../confirm-page.js';

export interface ConfirmRevokeTokenProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  token: { number: number; lastUsedAt?: Date | undefined };
  /** No other token is good. */
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
        From then on every URL of the project “{project.name}” that holds this token answers 404. It cannot be taken
        back. Runs under way go on.
      </p>
      {isOnly ? (
        <p class="notice bad">
          It is the only token that is good: no webhook of the project starts anything until you make a new one. To
          change over without a gap, rotate instead.
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
