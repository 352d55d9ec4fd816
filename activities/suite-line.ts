import { Context } from '@temporalio/activity';
import type { SuiteRun } from '#src/domain/runs/run.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Arrival } from '#workflows/messages.js';

export interface SuiteLineActivities {
  /** Requests this run's turn from the suite's line. Idempotent. */
  joinLine(input: { runId: string }): Promise<void>;
}

export interface SuiteLineDeps {
  find(runId: string): Promise<SuiteRun | undefined>;
  /** The suite's open runs that were triggered before this one, nearest first. */
  openRunsBefore(run: SuiteRun): Promise<{ runId: string; queuedAt: number }[]>;
  /** Signals the suite's line, which is started if needed. @param queue the workflow queue of the run and its line */
  signalSuiteLine(queue: string, suiteId: string, arrival: Arrival): Promise<void>;
  /** Records what a queued run is waiting for. */
  noteReason(runId: string, reason: string): Promise<void>;
}

/** Activities of the workflow queue for suites whose runs must not overlap. */
export function createSuiteLineActivities(deps: SuiteLineDeps): SuiteLineActivities {
  return {
    async joinLine({ runId }) {
      const run = await deps.find(runId);
      const overlap = run?.definition.overlap ?? 'allow';
      // If the run has ended in the meantime, the expansion reports it.
      if (!run || isTerminal(run.status) || overlap === 'allow') return;
      const earlier = await deps.openRunsBefore(run);
      const [previous] = earlier;
      if (previous)
        await deps.noteReason(runId, `waits for the end of run ${previous.runId} of this suite (overlap: ${overlap})`);
      await deps.signalSuiteLine(Context.current().info.taskQueue, run.targetId, {
        runId,
        queuedAt: run.queuedAt.getTime(),
        overlap,
        earlier,
      });
    },
  };
}
