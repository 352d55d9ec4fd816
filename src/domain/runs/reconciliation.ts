import type { Run, RunEnd, TestRun } from './run.js';
import { endOfBegun } from './end-of-test.js';
import { isTerminal, type RunStatus, type TerminalStatus } from './run-status.js';

/** What reconcile knows of the workflow of a run. */
export interface WorkflowState {
  /** As Temporal names it: RUNNING, COMPLETED, TERMINATED… */
  status: string;
  closedAt?: Date;
  /** Of one that completed. */
  result?: unknown;
}

/** Kinds of repairs, for the log and the metrics. */
export const REPAIR_KINDS = [
  'stopped',
  'skipped',
  'completed',
  'workflow_failed',
  'workflow_lost',
  'not_started',
  'restarted',
  'started',
  'recounted',
] as const;

export type RepairKind = (typeof REPAIR_KINDS)[number];

/** The part of a record that decides. */
export type OpenRun = Pick<Run, '_id' | 'kind' | 'status' | 'queuedAt' | 'startedAt'> &
  Partial<Pick<TestRun, 'suiteRunId' | 'attempts'>> & {
    /** How long ago its workflow was first missed, in ms; absent: it was not, or was found since. */
    missingForMs?: number;
  };

export type Decision =
  | { do: 'leave' }
  /** Its workflow is missed for the first time: note when, and leave it. */
  | { do: 'note' }
  /** Its workflow was never there: the dispatcher shall start it (again). */
  | { do: 'start' }
  /** Its workflow is open and nobody wants it any more: cancel it, then end the record. */
  | { do: 'cancel'; kind: RepairKind; end: RunEnd }
  | { do: 'end'; kind: RepairKind; end: RunEnd };

export interface Circumstances {
  now: Date;
  /** How long a run may wait for its start, in ms. */
  startDeadlineMs: number;
  /** How long its workflow must be missing before a run that had begun is lost, in ms. */
  lostAfterMs: number;
  /** Of a suite's test: its suite run is over, or about to be ended. */
  suiteIsOver: boolean;
}

/** What is to become of an open record whose workflow is as Temporal says; undefined: Temporal does not know it. */
export function decide(run: OpenRun, workflow: WorkflowState | undefined, around: Circumstances): Decision {
  if (!workflow) return withoutWorkflow(run, around);
  switch (workflow.status) {
    case 'RUNNING':
    case 'PAUSED':
      return around.suiteIsOver ? { do: 'cancel', ...endOfSuiteTest(run) } : { do: 'leave' };
    case 'TERMINATED':
    case 'CANCELLED':
      return { do: 'end', kind: 'stopped', end: { status: 'stopped' } };
    case 'COMPLETED':
      return completed(run, workflow, around);
    default:
      return { do: 'end', kind: 'workflow_failed', end: internal(workflow.status.toLowerCase()) };
  }
}

function withoutWorkflow(run: OpenRun, around: Circumstances): Decision {
  const begun = hasBegun(run);
  if (run.suiteRunId !== undefined) {
    // Without a suite that waits for it, or between two passes of its suite.
    if (around.suiteIsOver && (!begun || run.status === 'auto_retrying')) return { do: 'end', ...endOfSuiteTest(run) };
    if (!begun || run.status === 'auto_retrying') return { do: 'leave' };
  } else if (!begun) {
    const isLate = around.now.getTime() - run.queuedAt.getTime() > around.startDeadlineMs;
    return isLate ? { do: 'end', kind: 'not_started', end: NOT_STARTED } : { do: 'start' };
  }
  // One answer may come from a failover, a lagging replica or a restored copy.
  if (run.missingForMs === undefined) return { do: 'note' };
  if (run.missingForMs < around.lostAfterMs) return { do: 'leave' };
  return { do: 'end', kind: 'workflow_lost', end: WORKFLOW_LOST };
}

/** A workflow that has its verdict although the record is open: the database was restored from an older copy. */
function completed(run: OpenRun, { result, closedAt }: WorkflowState, around: Circumstances): Decision {
  if (closedAt && closedAt < run.queuedAt) return { do: 'end', kind: 'not_started', end: ID_TAKEN };
  const status = (result as { status?: RunStatus } | undefined)?.status;
  if (status !== undefined && isTerminal(status)) return { do: 'end', kind: 'completed', end: verdict(status) };
  if (status === 'auto_retrying' && run.suiteRunId !== undefined)
    return around.suiteIsOver ? { do: 'end', ...endOfSuiteTest(run) } : { do: 'leave' };
  return { do: 'end', kind: 'workflow_failed', end: internal('completed') };
}

/** Whether any of it has run. */
export function hasBegun({ status, startedAt }: { status: RunStatus; startedAt?: Date | undefined }): boolean {
  return startedAt !== undefined || status !== 'queued';
}

/** How a suite's test ends that its suite did not end, and that its workflow has no verdict for. */
function endOfSuiteTest({ status, startedAt, attempts = [] }: OpenRun): { kind: RepairKind; end: RunEnd } {
  if (!hasBegun({ status, startedAt })) return { kind: 'skipped', end: { status: 'skipped' } };
  const end = endOfBegun({ status, attempts });
  return { kind: end.status === 'stopped' ? 'stopped' : 'completed', end };
}

function verdict(status: TerminalStatus): RunEnd {
  if (status !== 'error') return { status };
  return {
    status,
    errorCode: 'INTERNAL',
    errorMessage: 'The run ended with an error that is no longer in its record. See the workflow in Temporal.',
  };
}

function internal(how: string): RunEnd {
  return {
    status: 'error',
    errorCode: 'INTERNAL',
    errorMessage: `The workflow of this run ended (${how}) without a verdict. See it in Temporal.`,
  };
}

const WORKFLOW_LOST: RunEnd = {
  status: 'error',
  errorCode: 'WORKFLOW_LOST',
  errorMessage: 'The workflow of this run no longer exists in Temporal. Trigger the run again.',
};

/** The verdict of a run that was not started in time. */
export const NOT_STARTED: RunEnd = {
  status: 'error',
  errorCode: 'NOT_STARTED',
  errorMessage: 'Temporal could not start this run before its deadline. Check Temporal and trigger it again.',
};

/** The end of a run whose derived id is the id of a workflow of another installation in the same namespace. */
export const WORKFLOW_ID_TAKEN: RunEnd = {
  status: 'error',
  errorCode: 'NOT_STARTED',
  errorMessage:
    'Another installation in this Temporal namespace has used the same Idempotency-Key for the same project. Trigger the run with another key.',
};

const ID_TAKEN: RunEnd = {
  status: 'error',
  errorCode: 'NOT_STARTED',
  errorMessage:
    'An earlier run with the same Idempotency-Key was removed, and Temporal still keeps its workflow. Trigger it with a new key.',
};
