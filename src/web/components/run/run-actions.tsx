import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';
import type { ProjectContext, Viewer } from '#src/web/layout/page-context.js';
import { Form } from '#src/web/components/form/form.js';

export interface RunActionsProps {
  run: Pick<Run, '_id' | 'kind' | 'status'>;
  project: ProjectContext;
  viewer: Viewer;
}

/** What the viewer may do with a run. Behind a `RunTitle`, which hides what does not fit when the run is over. */
export function RunActions({ run, project, viewer }: RunActionsProps) {
  const path = `/runs/${run._id}`;
  return (
    <div class="run-actions">
      {project.may('runs.stop') && !isTerminal(run.status) ? (
        <a class="btn btn-outline-danger while-open" href={`${path}/stop`} data-dialog>
          Stop
        </a>
      ) : null}
      {project.may('runs.start') ? <Rerun action={`${path}/rerun`} label="Run again" viewer={viewer} /> : null}
      {project.may('runs.start') && run.kind === 'suite' ? (
        <Rerun action={`${path}/rerun-failed`} label="Rerun failed tests" viewer={viewer} when="when-over" />
      ) : null}
    </div>
  );
}

function Rerun({ action, label, viewer, when }: { action: string; label: string; viewer: Viewer; when?: string }) {
  return (
    <Form action={action} viewer={viewer} class={when}>
      <button type="submit" class="btn btn-outline-primary">
        {label}
      </button>
    </Form>
  );
}
