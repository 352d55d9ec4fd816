import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Http } from '#src/cli/api/http.js';
import type { RunStatusView, RunView } from '#src/cli/api/responses.js';
import { runPath } from '#src/cli/find/find-run.js';
import { pause } from '#src/cli/pause.js';
import { sizeOf } from './test-runs.js';

/** How long to retry while waiting for a run, in ms: longer than restarts and deployments of the server. */
export const SILENCE_MS = 600_000;
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 3000;

/** Shows the progress of a run. */
export interface Progress {
  update(run: RunView, signal: AbortSignal): void | Promise<void>;
  close(): void;
}

/**
 * Polls a run until it ends, less often the longer it takes.
 * @throws the abort reason of `signal`; UnreachableError or ApiError when the server does not respond or rejects a request
 */
export async function waitForEnd(http: Http, run: RunView, progress: Progress, signal: AbortSignal): Promise<RunView> {
  const path = runPath(run);
  const read = <T>(where: string) => http.json<T>({ path: where, patienceMs: SILENCE_MS, signal });
  const began = performance.now();
  let last = run;
  for (;;) {
    await progress.update(last, signal);
    if (isTerminal(last.status)) return last;
    if (run.kind === 'suite') last = await read<RunView>(path);
    else {
      const { status, modified } = await read<RunStatusView>(`${path}status/`);
      if (status !== last.status || modified !== last.modified) last = await read<RunView>(path);
    }
    // A large suite is polled less often: one millisecond per test.
    const pauseMs = Math.max(pauseAfter(performance.now() - began), sizeOf(last));
    await pause(pauseMs * (0.8 + Math.random() * 0.4), signal);
  }
}

function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 10, MIN_PAUSE_MS), MAX_PAUSE_MS);
}
