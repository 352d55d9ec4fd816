import type { RunStatusStore } from '../src/db/run-status.js';
import type { RunEnd } from '../src/domain/run.js';
import type { TerminalStatus } from '../src/domain/run-status.js';

export interface RunRecordActivities {
  /** Ends a run that is not over. @returns the status that is in force: an earlier end stays. */
  recordEnd(end: RunEnd & { runId: string }): Promise<{ status: TerminalStatus }>;
  /** Notes that the run is to stop, where the worker that executes its test looks every second. */
  noteStop(input: { runId: string }): Promise<void>;
}

/** Activities of the workflow queue that write a run's record. */
export function createRunRecordActivities(deps: {
  statuses: Pick<RunStatusStore, 'endRun'>;
  requestStop(runId: string): Promise<void>;
}): RunRecordActivities {
  return {
    noteStop: ({ runId }) => deps.requestStop(runId),

    async recordEnd({ runId, ...end }) {
      const { status } = await deps.statuses.endRun(runId, end);
      return { status: status as TerminalStatus };
    },
  };
}
