import type { OpenRunStore } from '#src/db/runs/open-run-store.js';
import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import type { Clock } from '#src/domain/clock.js';
import { decide, type OpenRun, type WorkflowState } from '#src/domain/runs/reconciliation.js';
import { endOfSuite } from '#src/domain/runs/end-of-suite.js';
import type { RunEnd } from '#src/domain/runs/run.js';
import type { StatusCounts } from '#src/domain/runs/run-status.js';
import { closeTests, type SuiteClosingDeps } from './close-suite.js';
import type { Pass } from './pass.js';

export interface RepairDeps extends Omit<SuiteClosingDeps, 'repairTest'> {
  openRuns: Pick<OpenRunStore, 'ofSuite' | 'awaitStart' | 'noteMissing' | 'noteFound'>;
  /** undefined: the workflow does not exist in Temporal. */
  workflowState(runId: string): Promise<WorkflowState | undefined>;
  cancel(runId: string): Promise<void>;
  statuses: Pick<RunStatusStore, 'endRun' | 'endSuite'>;
  /** How many of the suite's test runs have each status. */
  countTests(suiteRunId: string): Promise<StatusCounts>;
  /** The database's time, which the records use. */
  clock: Clock;
  /** How long a run may be pending, in ms. */
  startDeadlineMs: number;
  /** How long the workflow of a started run must be missing before the run is lost, in ms. */
  lostAfterMs: number;
}

/** Describes the workflow of one open run and repairs its record. */
export async function repairRun(deps: RepairDeps, pass: Pass, run: OpenRun, suiteIsOver: boolean): Promise<void> {
  const { startDeadlineMs, lostAfterMs } = deps;
  const around = { now: deps.clock.now(), startDeadlineMs, lostAfterMs, suiteIsOver };
  const workflow = await deps.workflowState(run._id);
  if (workflow && run.missingForMs !== undefined) await deps.openRuns.noteFound(run._id);
  const decision = decide(run, workflow, around);
  if (decision.do === 'note') return deps.openRuns.noteMissing(run._id);
  if (decision.do === 'leave') return;
  if (decision.do === 'start') return pass.repaired('restarted', Number(await deps.openRuns.awaitStart(run._id)));
  // Before the record: if the cancellation fails, the next pass finds the record open and tries again.
  if (decision.do === 'cancel') await deps.cancel(run._id);
  const endedNow = await (run.kind === 'suite' ? endSuite : endTest)(deps, pass, run._id, decision.end);
  pass.repaired(decision.kind, Number(endedNow));
}

/** Ends the open tests of a suite that is over. @returns whether all have ended @throws when one of them could not be ended */
export async function closeTestsOf(deps: RepairDeps, pass: Pass, suiteRunId: string): Promise<boolean> {
  return closeTests({ ...deps, repairTest: (test) => repairRun(deps, pass, test, true) }, pass, suiteRunId);
}

async function endTest({ statuses }: RepairDeps, _pass: Pass, runId: string, end: RunEnd): Promise<boolean> {
  return (await statuses.endRun(runId, end)).endedNow;
}

async function endSuite(deps: RepairDeps, pass: Pass, runId: string, end: RunEnd): Promise<boolean> {
  if (!(await closeTestsOf(deps, pass, runId))) return false;
  const counts = await deps.countTests(runId);
  const inAll = end.status === 'stopped' ? endOfSuite(counts, true) : end;
  return (await deps.statuses.endSuite(runId, { ...inAll, counts })).endedNow;
}
