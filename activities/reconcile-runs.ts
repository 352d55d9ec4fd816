import { Context } from '@temporalio/activity';
import type { OpenRunStore } from '#src/db/runs/open-run-store.js';
import type { PendingRun, PendingStarts } from '#src/db/runs/pending-starts.js';
import type { RepairKind, OpenRun } from '#src/domain/runs/reconciliation.js';
import { closeTestsOf, repairRun, type RepairDeps } from './reconcile/repair-run.js';
import { beginPass, type Pass } from './reconcile/pass.js';
import { startOverdue } from './reconcile/start-overdue.js';

/** Number of repaired runs by kind, and number of runs that failed. */
export interface ReconcileResult {
  mended: Partial<Record<RepairKind, number>>;
  failed: number;
}

export interface ReconcileActivities {
  /** Compares all open records with their workflows and repairs differences. */
  reconcileOpenRuns(): Promise<ReconcileResult>;
}

export interface ReconcileDeps extends RepairDeps {
  openRuns: OpenRunStore;
  /** @throws when Temporal is unavailable or is not the one that the database is bound to */
  checkTemporal(): Promise<void>;
  /** Ids of all runs with an open workflow, from visibility. @throws when visibility is down */
  openWorkflows(onPage: () => void): Promise<Set<string>>;
  pending: Pick<PendingStarts, 'claim' | 'clear' | 'release' | 'giveUp'>;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** Corrects the counts of suites that are running or have ended since. @returns the number of corrected suites */
  recountSuites(endedSince: Date): Promise<number>;
  /** Adds a pass to what the metrics show. */
  report(pass: { pass: string; counts: Record<string, number>; succeeded: boolean }): Promise<void>;
  log(result: ReconcileResult & { ms: number }, failures: Pass['failures']): void;
}

/** A run that changed recently is left to the process that changed it. */
const STILL_MS = 15_000;
/** The same without visibility, when each run is described: only runs that have not changed for long. */
const STILL_UNLISTED_MS = 300_000;
const RECOUNT_MS = 3_600_000;

export function createReconcileActivities(deps: ReconcileDeps): ReconcileActivities {
  return {
    async reconcileOpenRuns() {
      const began = performance.now();
      const now = deps.clock.now().getTime();
      const { info } = Context.current();
      const pass = beginPass();
      await deps.checkTemporal();
      // First, because pending runs are most urgent and this needs no visibility.
      await startOverdue(deps, pass);
      const before = new Date(now - STILL_MS);
      const open = await listOpenWorkflows(deps, pass);
      await repairOpenRuns(deps, pass, open ? before : new Date(now - STILL_UNLISTED_MS), open ?? new Set());
      await repairTestsOfEndedSuites(deps, pass, before);
      pass.repaired('recounted', await deps.recountSuites(new Date(now - RECOUNT_MS)));

      const { counts, failures } = pass;
      await deps.report({ pass: info.workflowExecution!.runId, counts, succeeded: failures.length === 0 });
      const result = { mended: counts, failed: failures.length };
      deps.log({ ...result, ms: Math.round(performance.now() - began) }, failures);
      return result;
    },
  };
}

/** @returns undefined while visibility is down: the pass counts a failure and continues */
async function listOpenWorkflows(deps: ReconcileDeps, pass: Pass): Promise<Set<string> | undefined> {
  try {
    return await deps.openWorkflows(() => Context.current().heartbeat());
  } catch (error) {
    Context.current().cancellationSignal.throwIfAborted();
    pass.failures.push({ runId: '', error });
    return undefined;
  }
}

/**
 * Describes a single workflow only if the list does not contain it or if it was missing before.
 * @param open the list
 */
async function repairOpenRuns(deps: ReconcileDeps, pass: Pass, before: Date, open: Set<string>): Promise<void> {
  const missing = await deps.openRuns.missing();
  const hasWorkflow = (runId: string) => open.has(runId) && !missing.has(runId);
  for await (const runs of deps.openRuns.withoutWorkflow(before, hasWorkflow)) {
    Context.current().heartbeat();
    const suiteRunIds = runs.flatMap(({ suiteRunId }) => suiteRunId ?? []);
    const openSuites = await deps.openRuns.openAmong(suiteRunIds);
    const suiteIsOver = ({ suiteRunId }: OpenRun) => suiteRunId !== undefined && !openSuites.has(suiteRunId);
    await pass.each(
      runs.filter(({ kind }) => kind === 'test'),
      ({ _id }) => _id,
      (run) => repairRun(deps, pass, run, suiteIsOver(run)),
    );
    // One at a time: each has many tests to repair.
    for (const suite of runs.filter(({ kind }) => kind === 'suite'))
      await pass.each(
        [suite],
        ({ _id }) => _id,
        () => repairRun(deps, pass, suite, false),
      );
  }
}

async function repairTestsOfEndedSuites(deps: ReconcileDeps, pass: Pass, before: Date): Promise<void> {
  for (const suiteRunId of await deps.openRuns.overWithOpenTests(before))
    await pass.each(
      [suiteRunId],
      (id) => id,
      async () => void (await closeTestsOf(deps, pass, suiteRunId)),
    );
}
