import { setTimeout as sleep } from 'node:timers/promises';

/** What the database says of a run whose test is executed here. */
export interface RunLook {
  _id: string;
  /** As the begin of the attempt has left it, while nothing else has happened. */
  seq: number;
  isStopRequested: boolean;
}

/** Why an attempt has to end: a stop; it is over, or another worker's; it is long past every limit of its own. */
export type AttemptEnd = 'stop' | 'over' | 'overdue';

export interface WatchedAttempt {
  runId: string;
  seq: number;
  /** How long it may take, in ms: times at which the database did not answer do not count. */
  limitMs: number;
  end(why: AttemptEnd): void;
}

export interface AttemptWatch {
  /** @returns ends it */
  add(attempt: WatchedAttempt): () => void;
}

export interface AttemptWatchDeps {
  /** Those of these runs that are there. @throws the driver's error */
  look(runIds: string[]): Promise<RunLook[]>;
  everyMs?: number;
}

/**
 * Tells attempts of this process that they have to end: by one look at the database every second, for all of them. A
 * stop reaches its test by it, however rare heartbeats are.
 */
export function createAttemptWatch({ look, everyMs = 1000 }: AttemptWatchDeps): AttemptWatch {
  const watched = new Map<WatchedAttempt, { seenMs: number }>();
  let isLooking = false;

  function judge(attempt: WatchedAttempt, found: RunLook | undefined, seenMs: number): AttemptEnd | undefined {
    // One that is not there, or behind: the database was restored from an older copy, and takes the verdict.
    if (found && found.seq > attempt.seq) return 'over';
    if (found?.isStopRequested) return 'stop';
    return seenMs > attempt.limitMs ? 'overdue' : undefined;
  }

  async function lookOnce(): Promise<void> {
    const asked = [...watched];
    const runs = new Map((await look(asked.map(([{ runId }]) => runId))).map((run) => [run._id, run]));
    for (const [attempt, state] of asked) {
      state.seenMs += everyMs;
      const why = judge(attempt, runs.get(attempt.runId), state.seenMs);
      if (why && watched.delete(attempt)) attempt.end(why);
    }
  }

  async function keepLooking(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (watched.size > 0) {
      await sleep(everyMs, undefined, { ref: false });
      // Where the database is away nobody can ask for a stop either; the next look is a second later.
      if (watched.size > 0) await lookOnce().catch(() => {});
    }
    isLooking = false;
  }

  return {
    add(attempt) {
      watched.set(attempt, { seenMs: 0 });
      void keepLooking();
      return () => void watched.delete(attempt);
    },
  };
}
