import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { ExpiredRun, ExpiredRunStore } from '#src/db/runs/expired-run-store.js';
import type { ProjectRetentionStore } from '#src/db/projects/project-retention-store.js';

/** `runs`: deleted; `followed`: whose expiry was updated to their project's retention. */
export interface RetentionResult {
  runs: number;
  followed: number;
}

export interface RetentionActivities {
  /** Deletes expired runs with all their data, and artifact chunks without a file, in batches with pauses. */
  removeExpired(): Promise<RetentionResult>;
}

export interface RetentionDeps {
  expired: ExpiredRunStore;
  projects: ProjectRetentionStore;
  /** Default retention in ms. */
  retentionMs: number;
  /** Adds a pass to what the metrics show. */
  report(pass: { pass: string; counts: Record<string, number>; succeeded: boolean }): Promise<void>;
  log(result: RetentionResult & { ms: number }): void;
}

const BATCH = 100;
/** Minimum pause. Each pause is as long as the batch before it, so that triggers have half of the database's time. */
const SHORTEST_PAUSE_MS = 20;

export function createRetentionActivities(deps: RetentionDeps): RetentionActivities {
  return {
    async removeExpired() {
      const began = performance.now();
      const pause = pauses();
      const result: RetentionResult = { runs: 0, followed: 0 };
      const { workflowExecution, attempt } = Context.current().info;
      const report = (succeeded: boolean) =>
        deps.report({ pass: `${workflowExecution!.runId}:${attempt}`, counts: { ...result }, succeeded });
      try {
        await followProjects(deps, pause, result);
        await removeAll(deps, pause, result);
        await deps.expired.removeOrphans(pause);
      } catch (error) {
        // Report now: a retry does not find what this attempt deleted. An error of the pass takes precedence.
        await report(false).catch(() => {});
        throw error;
      }
      await report(true);
      deps.log({ ...result, ms: Math.round(performance.now() - began) });
      return result;
    },
  };
}

type Pause = () => Promise<void>;

/** @param result counts in it grow */
async function followProjects({ projects, retentionMs }: RetentionDeps, pause: Pause, result: RetentionResult) {
  for (const change of await projects.changed())
    if (change.isPropagated) result.followed += await projects.apply(change, retentionMs, pause);
}

/** @param result counts in it grow */
async function removeAll({ expired, projects }: RetentionDeps, pause: Pause, result: RetentionResult): Promise<void> {
  // None of projects whose retention was just extended: their runs are not updated yet.
  const inChange = (await projects.changed()).map(({ projectId }) => projectId);
  for (let from: ExpiredRun | undefined; ;) {
    const { runs, next } = await expired.page(from, BATCH, inChange);
    const tests = runs.filter(({ kind }) => kind === 'test').map(({ _id }) => _id);
    if (tests.length > 0) await expired.removeTests(tests, pause);
    result.runs += tests.length;
    for (const { _id, kind } of runs) if (kind === 'suite') result.runs += await expired.removeSuite(_id, pause);
    if (!next) return;
    from = next;
    await pause();
  }
}

/** Sends a heartbeat and waits as long as the work since the last pause took. @throws CancelledFailure when canceled */
function pauses(): () => Promise<void> {
  const { cancellationSignal, heartbeat } = Context.current();
  let last = performance.now();
  return async () => {
    heartbeat();
    cancellationSignal.throwIfAborted();
    await sleep(Math.max(SHORTEST_PAUSE_MS, performance.now() - last));
    last = performance.now();
  };
}
