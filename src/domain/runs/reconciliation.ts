import type { Run, RunEnd, TestRun } from './run.js';
import { endOfBegun } from './end-of-test.js';
import { isTerminal, type RunStatus, type TerminalStatus } from './run-status.js';

export interface WorkflowState {
  /** Temporal's status: RUNNING, COMPLETED, TERMINATED… */
  status: string;
  closedAt?: Date;
  /** Set if it completed. */
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

/** The fields of a run that reconcile needs. */
export type OpenRun = Pick<Run, '_id' | 'kind' | 'status' | 'queuedAt' | 'startedAt'> &
  Partial<Pick<TestRun, 'suiteRunId' | 'attempts'>> & {
    /** For how long its workflow has been missing, in ms; absent if it is not missing. */
    missingForMs?: number;
  };

export type Decision =
  | { do: 'leave' }
  /** The workflow is missing for the first time: record the time. */
  | { do: 'note' }
  /** The workflow never existed: let the dispatcher start it. */
  | { do: 'start' }
  /** The workflow is open but its suite run is over: cancel it, then end the record. */
  | { do: 'cancel'; kind: RepairKind; end: RunEnd }
  | { do: 'end'; kind: RepairKind; end: RunEnd };

export interface Circumstances {
  now: Date;
  /** How long a run may be pending, in ms. */
  startDeadlineMs: number;
  /** How long the workflow of a started run must be missing before the run is lost, in ms. */
  lostAfterMs: number;
  /** For test runs of a suite: the suite run is over, or about to be ended. */
  suiteIsOver: boolean;
}

/** Decides how to repair an open run. @param workflow undefined: it does not exist in Temporal */
export function decide(run: OpenRun, workflow: WorkflowState | undefined, circumstances: Circumstances): Decision {
  if (!workflow) return withoutWorkflow(run, circumstances);
  switch (workflow.status) {
    case 'RUNNING':
    case 'PAUSED':
      return circumstances.suiteIsOver ? { do: 'cancel', ...endOfSuiteTest(run) } : { do: 'leave' };
    case 'TERMINATED':
    case 'CANCELLED':
      return { do: 'end', kind: 'stopped', end: { status: 'stopped' } };
    case 'COMPLETED':
      return completed(run, workflow, circumstances);
    default:
      return { do: 'end', kind: 'workflow_failed', end: internal(workflow.status.toLowerCase()) };
  }
}

function withoutWorkflow(run: OpenRun, circumstances: Circumstances): Decision {
  const begun = hasBegun(run);
  if (run.suiteRunId !== undefined) {
    // Pending in its suite, or between two passes of it.
    if (circumstances.suiteIsOver && (!begun || run.status === 'auto_retrying'))
      return { do: 'end', ...endOfSuiteTest(run) };
    if (!begun || run.status === 'auto_retrying') return { do: 'leave' };
  } else if (!begun) {
    const isLate = circumstances.now.getTime() - run.queuedAt.getTime() > circumstances.startDeadlineMs;
    return isLate ? { do: 'end', kind: 'not_started', end: NOT_STARTED } : { do: 'start' };
  }
  // A single response may come from a lagging replica or a restored backup.
  if (run.missingForMs === undefined) return { do: 'note' };
  if (run.missingForMs < circumstances.lostAfterMs) return { do: 'leave' };
  return { do: 'end', kind: 'workflow_lost', end: WORKFLOW_LOST };
}

/** The workflow has a verdict although the record is open: the database was restored from a backup. */
function completed(run: OpenRun, { result, closedAt }: WorkflowState, circumstances: Circumstances): Decision {
  if (closedAt && closedAt < run.queuedAt) return { do: 'end', kind: 'not_started', end: ID_TAKEN };
  const status = (result as { status?: RunStatus } | undefined)?.status;
  if (status !== undefined && isTerminal(status)) return { do: 'end', kind: 'completed', end: verdict(status) };
  if (status === 'auto_retrying' && run.suiteRunId !== undefined)
    return circumstances.suiteIsOver ? { do: 'end', ...endOfSuiteTest(run) } : { do: 'leave' };
  return { do: 'end', kind: 'workflow_failed', end: internal('completed') };
}

export function hasBegun({ status, startedAt }: { status: RunStatus; startedAt?: Date | undefined }): boolean {
  return startedAt !== undefined || status !== 'queued';
}

/** How a test run ends that neither its suite nor its workflow has ended. */
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
