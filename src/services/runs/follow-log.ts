import { setTimeout as sleep } from 'node:timers/promises';
import type { LogBounds, LogPart, LogPlace } from '#src/db/runs/run-logs.js';
import { isTerminal, type RunStatus } from '#src/domain/runs/run-status.js';

/** How long a request with `follow` waits for new lines, in ms. */
export const FOLLOW_MS = 20_000;
const READ_EVERY_MS = 1000;
const MAX_CHARACTERS = 2_000_000;

export interface LogRequest {
  runId: string;
  after?: LogPlace | undefined;
  limit: number;
  /** Wait until there are new lines, or the run has ended. */
  follow: boolean;
}

export interface ReadLog extends Pick<LogPart, 'lines'> {
  /** The run has ended, and these are its last lines. */
  ended: boolean;
}

export interface LogFollowerDeps {
  lines(runId: string, after: LogPlace | undefined, max: LogBounds): Promise<LogPart>;
  /** undefined: the run was deleted. */
  statusOf(runId: string): Promise<RunStatus | undefined>;
  /** The server is shutting down: requests must not wait. */
  isDraining(): boolean;
}

/**
 * Reads the next part of a run's log.
 * @returns a function; its signal is aborted when the client disconnects
 */
export function createLogFollower({ lines, statusOf, isDraining }: LogFollowerDeps) {
  async function read({ runId, after, limit }: LogRequest): Promise<ReadLog> {
    // Read before the lines: after the end of a run, its log is complete.
    const status = await statusOf(runId);
    const part = await lines(runId, after, { lines: limit, characters: MAX_CHARACTERS });
    return { lines: part.lines, ended: (status === undefined || isTerminal(status)) && !part.isLonger };
  }

  return async (request: LogRequest, disconnected: AbortSignal): Promise<ReadLog> => {
    const until = performance.now() + FOLLOW_MS;
    for (;;) {
      const part = await read(request);
      const isWaiting = request.follow && !part.ended && part.lines.length === 0;
      if (!isWaiting || disconnected.aborted || isDraining() || performance.now() + READ_EVERY_MS > until) return part;
      await sleep(READ_EVERY_MS, undefined, { signal: disconnected }).catch(() => {});
    }
  };
}
