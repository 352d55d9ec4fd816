import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { RunChanges } from '#src/db/runs/run-changes.js';
import type { Clock } from '#src/domain/clock.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { createChangeFeed, NO_CHANGES, type Changes } from './change-feed.js';
import type { LogReads } from '#src/db/runs/run-logs.js';
import { createLogTail, type LogAddition, type LogTail } from './live-log-tail.js';
import { topicsOf, watchedOf, type Topic } from './topics.js';

const READ_EVERY_MS = 500;
const LOGS_AT_ONCE = 4;

export interface LiveDeps {
  changes: RunChanges;
  logs: LogReads;
  /** The database's clock, which dates the changes. */
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  everyMs?: number;
}

export type Live = ReturnType<typeof createLive>;

export interface LogWatch {
  /** The last lines so far; undefined before the first read. */
  recent(): LogAddition | undefined;
}

interface Watcher {
  topics: ReadonlySet<Topic>;
  onChange(changes: Changes): void;
}

interface WatchedLog {
  tail: LogTail;
  watchers: Set<(addition: LogAddition) => void>;
}

/** Live updates of runs: one periodic read of the database for the whole process, and none without watchers. */
export function createLive({ changes, logs, clock, log, everyMs = READ_EVERY_MS }: LiveDeps) {
  const feed = createChangeFeed(changes, clock);
  const watchers = new Set<Watcher>();
  const watchedLogs = new Map<string, WatchedLog>();
  const closing = new AbortController();
  let isReading = false;
  const outage = createOutageLog(log, { failing: 'live pages are waiting for the database' });

  async function readWhileWatched(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (watchers.size + watchedLogs.size > 0 && !closing.signal.aborted) {
      try {
        await read();
        outage.succeeded();
      } catch (error) {
        outage.failed(error);
      }
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => {});
    }
    feed.reset();
    isReading = false;
  }

  async function read(): Promise<void> {
    const topics = [...watchers].flatMap((watcher) => [...watcher.topics]);
    notify(watchers.size > 0 ? await feed.read(watchedOf(topics)) : NO_CHANGES);
    await pMap([...watchedLogs.values()], readLog, { concurrency: LOGS_AT_ONCE });
  }

  function notify({ runs, isAll }: Changes): void {
    for (const { _id, status } of runs) watchedLogs.get(_id)?.tail.statusChanged(status);
    if (runs.length === 0 && !isAll) return;
    const found = runs.map((run) => ({ run, of: topicsOf(run) }));
    for (const { topics, onChange } of watchers) {
      const matching = found.filter(({ of }) => of.some((topic) => topics.has(topic))).map(({ run }) => run);
      if (matching.length > 0 || isAll) onChange({ runs: matching, isAll });
    }
  }

  async function readLog({ tail, watchers }: WatchedLog): Promise<void> {
    const addition = await tail.read();
    if (addition) for (const onLines of watchers) onLines(addition);
  }

  return {
    /** Calls `onChange` with each set of changes until the signal is aborted. */
    watch(topics: readonly Topic[], signal: AbortSignal, onChange: (changes: Changes) => void) {
      const watcher = { topics: new Set(topics), onChange };
      watchers.add(watcher);
      signal.addEventListener('abort', () => watchers.delete(watcher), { once: true });
      void readWhileWatched();
    },

    /** Calls `onLines` with the last lines of a run's log, then with each addition, until the signal is aborted. */
    watchLog(runId: string, signal: AbortSignal, onLines: (addition: LogAddition) => void): LogWatch {
      const watched = watchedLogs.get(runId) ?? { tail: createLogTail(runId, logs), watchers: new Set() };
      watchedLogs.set(runId, watched);
      watched.watchers.add(onLines);
      signal.addEventListener(
        'abort',
        () => {
          watched.watchers.delete(onLines);
          if (watched.watchers.size === 0) watchedLogs.delete(runId);
        },
        { once: true },
      );
      void readWhileWatched();
      return { recent: watched.tail.recent };
    },

    close: () => closing.abort(),
  };
}
