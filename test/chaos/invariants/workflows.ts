import type { Evidence, Violation, WorkflowSeen } from '#test/chaos/evidence.js';

const RULE = 'one workflow a run, and it is closed';

/**
 * Every run that started has one chain of executions under its id, which is closed; no workflow is without a record. In
 * a suite with later passes a test may have one more for each.
 */
export function checkWorkflows({ runs, workflows }: Evidence): Violation[] {
  const byId = new Map<string, WorkflowSeen[]>();
  for (const seen of workflows) byId.set(seen.workflowId, [...(byId.get(seen.workflowId) ?? []), seen]);

  const passes = new Map(runs.flatMap((run) => (run.kind === 'suite' ? [[run._id, run.definition.retryFailed]] : [])));

  const ofRuns = runs.flatMap((run) => {
    const { _id: runId, status, targetName } = run;
    const allowed = 1 + ((run.kind === 'test' && run.suiteRunId && passes.get(run.suiteRunId)) || 0);
    const chain = byId.get(runId) ?? [];
    byId.delete(runId);
    const ends = chain.filter((execution) => execution.status !== 'CONTINUED_AS_NEW');
    if (ends.length === 0) return status === 'skipped' ? [] : [{ rule: RULE, detail: `${targetName} has none`, runId }];
    const all = chain.map((execution) => `${execution.runId} ${execution.status}`).join(', ');
    return ends.length <= allowed && ends.every((execution) => execution.status !== 'RUNNING')
      ? []
      : [{ rule: RULE, detail: `${targetName}: ${all}`, runId }];
  });
  const ofNone = [...byId.keys()].map((runId): Violation => ({ rule: RULE, detail: 'it has no record', runId }));
  return [...ofRuns, ...ofNone];
}
