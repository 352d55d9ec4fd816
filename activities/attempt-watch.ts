import { setTimeout as sleep } from 'node:timers/promises';

/** The recorded state of a run whose test this worker executes. */
export interface RunState {
  _id: string;
  /** The value after the start of the attempt; unchanged unless something else happened. */
  seq: number;
  isStopRequested: boolean;
}

/** Why an attempt must end: a stop; its end or its takeover by another delivery; its time limits have long passed. */
export type AttemptEnd = 'stop' | 'over' | 'overdue';

export interface WatchedAttempt {
  runId: string;
  seq: number;
  /** Maximum duration in ms, not counting times when the database was unavailable. */
  limitMs: number;
  end(why: AttemptEnd): void;
}

export interface AttemptWatch {
  /** @returns a function that stops watching */
  add(attempt: WatchedAttempt): () => void;
}

export interface AttemptWatchDeps {
  /** Those of these runs that exist. @throws the driver's error */
  findRuns(runIds: string[]): Promise<RunState[]>;
  everyMs?: number;
}

/**
 * Ends attempts of this process when their records require it. One query per second covers all of them, so a
 * stop reaches its test regardless of the heartbeat interval.
 */
export function createAttemptWatch({ findRuns, everyMs = 1000 }: AttemptWatchDeps): AttemptWatch {
  const watched = new Map<WatchedAttempt, { elapsedMs: number }>();
  let isPolling = false;

  function judge(attempt: WatchedAttempt, found: RunState | undefined, elapsedMs: number): AttemptEnd | undefined {
    // Missing or behind: the database was restored from a backup. The verdict is still recorded.
    if (found && found.seq > attempt.seq) return 'over';
    if (found?.isStopRequested) return 'stop';
    return elapsedMs > attempt.limitMs ? 'overdue' : undefined;
  }

  async function poll(): Promise<void> {
    const current = [...watched];
    const runs = new Map((await findRuns(current.map(([{ runId }]) => runId))).map((run) => [run._id, run]));
    for (const [attempt, state] of current) {
      state.elapsedMs += everyMs;
      const why = judge(attempt, runs.get(attempt.runId), state.elapsedMs);
      if (why && watched.delete(attempt)) attempt.end(why);
    }
  }

  async function keepPolling(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (watched.size > 0) {
      await sleep(everyMs, undefined, { ref: false });
      // While the database is unavailable, no stop can be requested either. The next query follows in a second.
      if (watched.size > 0) await poll().catch(() => {});
    }
    isPolling = false;
  }

  return {
    add(attempt) {
      watched.set(attempt, { elapsedMs: 0 });
      void keepPolling();
      return () => void watched.delete(attempt);
    },
  };
}
