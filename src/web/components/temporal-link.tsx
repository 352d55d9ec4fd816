import type { Run } from '../../domain/run.js';

/** To the run in the Temporal UI, if there is a UI and the run has a workflow. */
export function TemporalLink({ run, url }: { run: Run; url: string | undefined }) {
  if (!url || !hasWorkflow(run)) return null;
  return (
    <p>
      <a href={url}>Open in the Temporal UI</a>
    </p>
  );
}

/** Not before its start, and never for what ended without one. */
function hasWorkflow(run: Run): boolean {
  if (run.dispatch || run.status === 'skipped' || run.errorCode === 'NOT_STARTED') return false;
  return !(run.kind === 'test' && run.suiteRunId && run.status === 'queued');
}
