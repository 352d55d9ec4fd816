import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { ExpiredRun, ExpiredRunStore } from '../src/db/expired-runs.js';
import type { ProjectRetentionStore } from '../src/db/project-retention.js';

/** `runs`: removed; `followed`: whose time was changed with their project's. */
export interface RetentionResult {
  runs: number;
  followed: number;
}

export interface RetentionActivities {
  /** Removes runs past their time with all that belongs to them, and content without a file, in batches with pauses. */
  removeExpired(): Promise<RetentionResult>;
}

export interface RetentionDeps {
  expired: ExpiredRunStore;
  projects: ProjectRetentionStore;
  /** How long a run is kept where its project does not say, in ms. */
  retentionMs: number;
  /** Adds a pass to what the metrics show. */
  report(pass: { pass: string; counts: Record<string, number>; succeeded: boolean }): Promise<void>;
  log(result: RetentionResult & { ms: number }): void;
}

const BATCH = 100;
/** A pause is as long as the batch before it, and at least so long: triggers have half of the database's time. */
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
        // What this try has removed, the next one does not find any more. Its own trouble counts, not that of the report.
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
    if (change.isKnown) result.followed += await projects.follow(change, retentionMs, pause);
}

/** @param result counts in it grow */
async function removeAll({ expired, projects }: RetentionDeps, pause: Pause, result: RetentionResult): Promise<void> {
  // Of a project that has just got more days, none: its runs do not say so yet.
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

/** Heartbeats and waits as long as it took since the last pause. @throws CancelledFailure when told to end */
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
