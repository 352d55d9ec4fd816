import type { SuiteRun } from '../../../domain/run.js';
import type { ProjectContext } from '../../layout/viewer.js';

/**
 * What the viewer may do with a suite run. All of it is there: the style sheet shows what makes sense with the status,
 * which changes while the page is open (run-lists.css).
 */
export function Actions({ run, project }: { run: SuiteRun; project: ProjectContext }) {
  const path = `/runs/${run._id}`;
  return (
    <div class="buttons run-actions">
      {project.may('runs.stop') ? (
        <a class="btn btn-outline-danger while-open" href={`${path}/stop`} data-dialog>
          Stop
        </a>
      ) : null}
      {project.may('runs.start') ? (
        <>
          <a class="btn btn-outline-primary when-over" href={`${path}/rerun-failed`} data-dialog>
            Rerun failed
          </a>
          <a class="btn btn-outline-primary" href={`${path}/rerun`} data-dialog>
            Rerun
          </a>
        </>
      ) : null}
    </div>
  );
}
