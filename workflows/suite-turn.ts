import { condition, getExternalWorkflowHandle, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { SuiteLineActivities } from '#activities/suite-line.js';
import type { RunEnd } from '#src/domain/runs/run.js';
import { lineOf, type SuitePlan, type Turn } from './messages.js';
import { left, turn } from './signals.js';

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 10 * 60_000;

const { joinLine } = proxyActivities<SuiteLineActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const hasLine = ({ overlap = 'allow' }: SuitePlan) => overlap !== 'allow';

/**
 * Waits until the suite's line (see suite-line.ts) lets this run start; returns immediately if runs may overlap.
 * @returns the end of the run if it is skipped
 */
export async function awaitTurn(plan: SuitePlan): Promise<RunEnd | undefined> {
  if (!hasLine(plan)) return undefined;
  const decided: Turn[] = [];
  setHandler(turn, (decision) => void decided.push(decision));
  // Requested again at intervals, because the line may have been terminated.
  for (let waitMs = FIRST_WAIT_MS; decided.length === 0; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    await joinLine({ runId: plan.runId });
    await condition(() => decided.length > 0, waitMs);
  }
  const decision = decided[0]!;
  if (decision.decision === 'begin') return undefined;
  return {
    status: 'skipped',
    reason: `Skipped because run ${decision.behind} of this suite was not over (overlap: skip)`,
  };
}

/** Lets the next run in the line start. */
export async function leaveLine(plan: SuitePlan): Promise<void> {
  if (!hasLine(plan)) return;
  await getExternalWorkflowHandle(lineOf(workflowInfo().taskQueue, plan.suiteId!))
    .signal(left, plan.runId)
    .catch(() => {}); // The line no longer exists, so no run waits in it.
}
