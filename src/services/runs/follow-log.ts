import { setTimeout as sleep } from 'node:timers/promises';
import type { LogBounds, LogPart, LogPlace } from '#src/db/runs/run-logs.js';
import { isTerminal, type RunStatus } from '#src/domain/runs/run-status.js';

/** How long a call that follows waits for something new, in ms. */
export const FOLLOW_MS = 20_000;
const LOOK_EVERY_MS = 1000;
const MAX_CHARACTERS = 2_000_000;

export interface LogRequest {
  runId: string;
  after?: LogPlace | undefined;
  limit: number;
  /** Wait until there is something new, or the run is over. */
  follow: boolean;
}

export interface ReadLog extends Pick<LogPart, 'lines'> {
  /** The run is over, and these are its last lines. */
  ended: boolean;
}

export interface LogFollowerDeps {
  lines(runId: string, after: LogPlace | undefined, max: LogBounds): Promise<LogPart>;
  /** undefined: it is removed. */
  statusOf(runId: string): Promise<RunStatus | undefined>;
  /** The server shuts down: nobody is kept waiting. */
  isDraining(): boolean;
}

/**
 * The next part of a run's log.
 * @returns how to read it; `gone` is aborted when the caller has gone
 */
export function createLogFollower({ lines, statusOf, isDraining }: LogFollowerDeps) {
  async function read({ runId, after, limit }: LogRequest): Promise<ReadLog> {
    // Before the lines: what a run that is over has written is all there.
    const status = await statusOf(runId);
    const part = await lines(runId, after, { lines: limit, characters: MAX_CHARACTERS });
    return { lines: part.lines, ended: (status === undefined || isTerminal(status)) && !part.isLonger };
  }

  return async (request: LogRequest, gone: AbortSignal): Promise<ReadLog> => {
    const until = performance.now() + FOLLOW_MS;
    for (;;) {
      const part = await read(request);
      const isWaiting = request.follow && !part.ended && part.lines.length === 0;
      if (!isWaiting || gone.aborted || isDraining() || performance.now() + LOOK_EVERY_MS > until) return part;
      await sleep(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => {});
    }
  };
}
