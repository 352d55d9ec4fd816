import type { Run } from '../../../domain/run.js';
import type { FormProblem } from '../../components/form.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';
import { ConfirmPage } from '../confirm-page.js';

export interface ActionPageProps {
  page: PageContext & { viewer: Viewer };
  run: Pick<Run, '_id' | 'kind' | 'targetName'>;
  problem?: FormProblem | undefined;
}

/** GET /runs/{id}/stop */
export function StopPage({ page, run, problem }: ActionPageProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Stop this run of “${run.targetName}”?`}
      verb="Stop the run"
      action={`/runs/${run._id}/stop`}
      back={`/runs/${run._id}`}
      problem={problem}
    >
      {run.kind === 'test' ? (
        <p>Its processes are ended, and it is recorded as stopped. Its log stays.</p>
      ) : (
        <p>Tests that are running are stopped, those whose turn has not come are skipped. Verdicts and logs stay.</p>
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
      title={onlyFailed ? `Run what did not pass in ${name}?` : `Run ${name} again?`}
      verb="Run"
      action={`/runs/${run._id}/${onlyFailed ? 'rerun-failed' : 'rerun'}`}
      back={`/runs/${run._id}`}
      isDangerous={false}
      problem={problem}
    >
      <p>
        A new run of the {run.kind} as it is now{onlyFailed ? ', with only the tests that did not pass' : ''}, with the
        variables and the profile of this one. This run stays as it is.
      </p>
    </ConfirmPage>
  );
}
