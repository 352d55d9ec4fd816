import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import type { RunEnd } from '#src/domain/runs/run.js';
import type { TerminalStatus } from '#src/domain/runs/run-status.js';

export interface RunRecordActivities {
  /** Ends an open run. @returns the final status: an earlier end takes precedence. */
  recordEnd(end: RunEnd & { runId: string }): Promise<{ status: TerminalStatus }>;
  /** Sets the stop request in the record, which the executing worker checks every second. */
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
