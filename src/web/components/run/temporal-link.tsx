import type { Run } from '#src/domain/runs/run.js';

/** Into the Temporal UI, where the run has a workflow. */
export function TemporalLink({ run, href }: { run: Run; href: string | undefined }) {
  if (!href || !hasWorkflow(run)) return null;
  return (
    <p>
      <a href={href}>Open in Temporal</a>
    </p>
  );
}

/** Not before its start, and never for what ended without one. */
function hasWorkflow(run: Run): boolean {
  if (run.dispatch || run.status === 'skipped' || run.errorCode === 'NOT_STARTED') return false;
  return !(run.kind === 'test' && run.suiteRunId && run.status === 'queued');
}
