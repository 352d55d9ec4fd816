import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Http } from '#src/cli/api/http.js';
import type { RunStatusView, RunView } from '#src/cli/api/answers.js';
import { runPath } from '#src/cli/find/find-run.js';
import { pause } from '#src/cli/pause.js';
import { sizeOf } from './test-runs.js';

/** How long a server may be silent while a run is waited for, in ms: restarts and deploys are shorter. */
export const SILENCE_MS = 600_000;
const MOST_OFTEN_MS = 250;
const LEAST_OFTEN_MS = 3000;

/** Shows how a run goes. */
export interface Progress {
  seen(run: RunView, signal: AbortSignal): void | Promise<void>;
  close(): void;
}

/**
 * Asks until a run is over, less often the longer it takes.
 * @throws what `signal` was aborted with; UnreachableError or ApiError when the server is silent for too long or refuses
 */
export async function waitForEnd(http: Http, run: RunView, progress: Progress, signal: AbortSignal): Promise<RunView> {
  const path = runPath(run);
  const ask = <T>(where: string) => http.json<T>({ path: where, patienceMs: SILENCE_MS, signal });
  const began = performance.now();
  let last = run;
  for (;;) {
    await progress.seen(last, signal);
    if (isTerminal(last.status)) return last;
    if (run.kind === 'suite') last = await ask<RunView>(path);
    else {
      const { status, modified } = await ask<RunStatusView>(`${path}status/`);
      if (status !== last.status || modified !== last.modified) last = await ask<RunView>(path);
    }
    // A large suite is asked less often: a millisecond for each of its tests.
    const pauseMs = Math.max(pauseAfter(performance.now() - began), sizeOf(last));
    await pause(pauseMs * (0.8 + Math.random() * 0.4), signal);
  }
}

function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 10, MOST_OFTEN_MS), LEAST_OFTEN_MS);
}
