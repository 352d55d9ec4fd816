import type { OpenRunStore } from '../../src/db/open-runs.js';
import type { RunStatusStore } from '../../src/db/run-status.js';
import type { Clock } from '../../src/domain/clock.js';
import { decide, type OpenRun, type WorkflowState } from '../../src/domain/reconciliation.js';
import { endOfSuite } from '../../src/domain/end-of-suite.js';
import type { RunEnd } from '../../src/domain/run.js';
import type { StatusCounts } from '../../src/domain/run-status.js';
import { closeTests, type SuiteClosingDeps } from './close-suite.js';
import type { Pass } from './pass.js';

export interface MendingDeps extends Omit<SuiteClosingDeps, 'mendTest'> {
  openRuns: Pick<OpenRunStore, 'ofSuite' | 'awaitStart' | 'noteMissing' | 'noteFound'>;
  /** undefined: Temporal does not know the workflow. */
  workflowState(runId: string): Promise<WorkflowState | undefined>;
  cancel(runId: string): Promise<void>;
  statuses: Pick<RunStatusStore, 'endRun' | 'endSuite'>;
  /** How many of the suite's test runs have each status. */
  countTests(suiteRunId: string): Promise<StatusCounts>;
  /** The database's, by which the records are dated. */
  clock: Clock;
  /** How long a run may wait for its start, in ms. */
  startDeadlineMs: number;
  /** How long its workflow must be missing before a run that had begun is lost, in ms. */
  lostAfterMs: number;
}

/** Asks Temporal about one open run and makes its record fit. */
export async function mendRun(deps: MendingDeps, pass: Pass, run: OpenRun, suiteIsOver: boolean): Promise<void> {
  const { startDeadlineMs, lostAfterMs } = deps;
  const around = { now: deps.clock.now(), startDeadlineMs, lostAfterMs, suiteIsOver };
  const workflow = await deps.workflowState(run._id);
  if (workflow && run.missingForMs !== undefined) await deps.openRuns.noteFound(run._id);
  const decision = decide(run, workflow, around);
  if (decision.do === 'note') return deps.openRuns.noteMissing(run._id);
  if (decision.do === 'leave') return;
  if (decision.do === 'start') return pass.mended('restarted', Number(await deps.openRuns.awaitStart(run._id)));
  // Before the record: a cancel that fails is tried again by the next pass, which finds the record open.
  if (decision.do === 'cancel') await deps.cancel(run._id);
  const endedNow = await (run.kind === 'suite' ? endSuite : endTest)(deps, pass, run._id, decision.end);
  pass.mended(decision.kind, Number(endedNow));
}

/** Ends the open tests of a suite that is over. @returns whether all have ended @throws when one of them could not be ended */
export async function closeTestsOf(deps: MendingDeps, pass: Pass, suiteRunId: string): Promise<boolean> {
  return closeTests({ ...deps, mendTest: (test) => mendRun(deps, pass, test, true) }, pass, suiteRunId);
}

async function endTest({ statuses }: MendingDeps, _pass: Pass, runId: string, end: RunEnd): Promise<boolean> {
  return (await statuses.endRun(runId, end)).endedNow;
}

async function endSuite(deps: MendingDeps, pass: Pass, runId: string, end: RunEnd): Promise<boolean> {
  if (!(await closeTestsOf(deps, pass, runId))) return false;
  const counts = await deps.countTests(runId);
  const inAll = end.status === 'stopped' ? endOfSuite(counts, true) : end;
  return (await deps.statuses.endSuite(runId, { ...inAll, counts })).endedNow;
}
