import { Context } from '@temporalio/activity';
import type { OpenRunStore } from '../src/db/open-runs.js';
import type { PendingRun, PendingStarts } from '../src/db/pending-starts.js';
import type { MendingKind, OpenRun } from '../src/domain/reconciliation.js';
import { closeTestsOf, mendRun, type MendingDeps } from './reconcile/mend-run.js';
import { beginPass, type Pass } from './reconcile/pass.js';
import { startOverdue } from './reconcile/start-overdue.js';

/** How many of each kind were mended, and at how many runs it failed. */
export interface ReconcileResult {
  mended: Partial<Record<MendingKind, number>>;
  failed: number;
}

export interface ReconcileActivities {
  /** Compares all open records with their workflows and mends what differs. */
  reconcileOpenRuns(): Promise<ReconcileResult>;
}

export interface ReconcileDeps extends MendingDeps {
  openRuns: OpenRunStore;
  /** Ids of all runs with an open workflow, as Temporal's list has them. */
  openWorkflows(onPage: () => void): Promise<Set<string>>;
  pending: Pick<PendingStarts, 'claim' | 'clear' | 'release' | 'giveUp'>;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** Corrects the counts of suites that are running or have ended since. @returns of how many */
  recountSuites(endedSince: Date): Promise<number>;
  /** Adds a pass to what the metrics show. */
  report(pass: { pass: string; counts: Record<string, number>; succeeded: boolean }): Promise<void>;
  log(result: ReconcileResult & { ms: number }, failures: Pass['failures']): void;
}

/** What has moved of late is left to whoever moved it. */
const STILL_MS = 15_000;
const RECOUNT_MS = 3_600_000;

export function createReconcileActivities(deps: ReconcileDeps): ReconcileActivities {
  return {
    async reconcileOpenRuns() {
      const began = Date.now();
      const { info } = Context.current();
      const pass = beginPass();
      const before = new Date(began - STILL_MS);
      await mendOpenRuns(deps, pass, before);
      await mendTestsOfEndedSuites(deps, pass, before);
      await startOverdue(deps, pass);
      pass.mended('recounted', await deps.recountSuites(new Date(began - RECOUNT_MS)));

      const { counts, failures } = pass;
      await deps.report({ pass: info.workflowExecution!.runId, counts, succeeded: failures.length === 0 });
      const result = { mended: counts, failed: failures.length };
      deps.log({ ...result, ms: Date.now() - began }, failures);
      return result;
    },
  };
}

/** Temporal's list of open workflows first, a call for 1,000; it is asked about a single run only when that has none. */
async function mendOpenRuns(deps: ReconcileDeps, pass: Pass, before: Date): Promise<void> {
  const open = await deps.openWorkflows(() => Context.current().heartbeat());
  for await (const runs of deps.openRuns.withoutWorkflow(before, (runId) => open.has(runId))) {
    Context.current().heartbeat();
    const suiteRunIds = runs.flatMap(({ suiteRunId }) => suiteRunId ?? []);
    const openSuites = await deps.openRuns.openAmong(suiteRunIds);
    const suiteIsOver = ({ suiteRunId }: OpenRun) => suiteRunId !== undefined && !openSuites.has(suiteRunId);
    await pass.each(
      runs.filter(({ kind }) => kind === 'test'),
      ({ _id }) => _id,
      (run) => mendRun(deps, pass, run, suiteIsOver(run)),
    );
    // One after the other: each has many tests of its own to mend.
    for (const suite of runs.filter(({ kind }) => kind === 'suite'))
      await pass.each(
        [suite],
        ({ _id }) => _id,
        () => mendRun(deps, pass, suite, false),
      );
  }
}

async function mendTestsOfEndedSuites(deps: ReconcileDeps, pass: Pass, before: Date): Promise<void> {
  for (const suiteRunId of await deps.openRuns.overWithOpenTests(before))
    await pass.each(
      [suiteRunId],
      (id) => id,
      () => closeTestsOf(deps, pass, suiteRunId),
    );
}
