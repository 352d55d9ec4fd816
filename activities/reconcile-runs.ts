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
  /** @throws when Temporal does not answer, or is not the one that the runs are in: nothing is reconciled with that */
  checkTemporal(): Promise<void>;
  /** Ids of all runs with an open workflow, as Temporal's list has them. @throws when visibility is down */
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
/** The same while there is no list, and each run must be asked about: only what stands still for long. */
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
      // First, and without visibility: a run that waits is the most urgent.
      await startOverdue(deps, pass);
      const before = new Date(now - STILL_MS);
      const open = await listOpenWorkflows(deps, pass);
      await mendOpenRuns(deps, pass, open ? before : new Date(now - STILL_UNLISTED_MS), open ?? new Set());
      await mendTestsOfEndedSuites(deps, pass, before);
      pass.mended('recounted', await deps.recountSuites(new Date(now - RECOUNT_MS)));

      const { counts, failures } = pass;
      await deps.report({ pass: info.workflowExecution!.runId, counts, succeeded: failures.length === 0 });
      const result = { mended: counts, failed: failures.length };
      deps.log({ ...result, ms: Math.round(performance.now() - began) }, failures);
      return result;
    },
  };
}

/** @returns undefined while visibility is down, which is a failure of the pass and does not end it */
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
 * Temporal is asked about a single run only when its list has no open workflow of it, or when the workflow was missed.
 * @param open the list
 */
async function mendOpenRuns(deps: ReconcileDeps, pass: Pass, before: Date, open: Set<string>): Promise<void> {
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
      async () => void (await closeTestsOf(deps, pass, suiteRunId)),
    );
}
