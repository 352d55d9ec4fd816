import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';
import { LiveStream } from '#src/web/components/live/live-stream.js';
import { RunActions, type RunActionsProps } from './run-actions.js';
import { RunTitle } from './run-title.js';

interface RunHeadProps extends RunActionsProps {
  run: Pick<Run, '_id' | 'kind' | 'status' | 'targetId' | 'targetName'>;
  /** Where the page of an open run receives its changes. */
  events: string;
}

/** The head of a run's page. With scripts the page follows an open run; without, the reader reloads it. */
export function RunHead({ run, project, viewer, events }: RunHeadProps) {
  return (
    <>
      <div class="title-row">
        <RunTitle run={run} />
        <RunActions run={run} project={project} viewer={viewer} />
      </div>
      <p class="muted">
        {run.kind === 'test' ? 'Test run' : 'Suite run'} of{' '}
        <a href={`/${run.kind}s/${run.targetId}`}>{run.targetName}</a>
      </p>
      {isTerminal(run.status) ? null : (
        <>
          <LiveStream src={events} />
          <noscript>
            <p class="notice">
              The run is in progress. <a href={`/runs/${run._id}`}>Reload the page</a>
            </p>
          </noscript>
        </>
      )}
    </>
  );
}
