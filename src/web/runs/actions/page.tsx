import type { Run } from '#src/domain/runs/run.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { ConfirmPage } from '#src/web/confirm-page.js';

interface ActionPageProps {
  page: SignedInPage;
  run: Pick<Run, '_id' | 'kind' | 'targetName'>;
  problem?: FormProblem | undefined;
}

/** GET /runs/{id}/stop */
export function StopPage({ page, run, problem }: ActionPageProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Stop this run of “${run.targetName}”?`}
      verb="Stop run"
      action={`/runs/${run._id}/stop`}
      back={`/runs/${run._id}`}
      problem={problem}
    >
      {run.kind === 'test' ? (
        <p>Its processes are terminated, and the run is recorded as stopped. Its log is kept.</p>
      ) : (
        <p>Running tests are stopped, and pending tests are skipped. Verdicts and logs are kept.</p>
      )}
    </ConfirmPage>
  );
}

/** GET /runs/{id}/rerun and /rerun-failed: where the button on the run's page does not lead on. */
export function RerunPage({ page, run, onlyFailed, problem }: ActionPageProps & { onlyFailed: boolean }) {
  const name = `“${run.targetName}”`;
  return (
    <ConfirmPage
      page={page}
      title={onlyFailed ? `Rerun the failed tests of ${name}?` : `Run ${name} again?`}
      verb="Run"
      action={`/runs/${run._id}/${onlyFailed ? 'rerun-failed' : 'rerun'}`}
      back={`/runs/${run._id}`}
      isDangerous={false}
      problem={problem}
    >
      <p>
        Starts a new run of the {run.kind} in its current revision
        {onlyFailed ? ', with only the tests that did not pass' : ''}, with the variables and the variable set of this
        run. This run is not changed.
      </p>
    </ConfirmPage>
  );
}
