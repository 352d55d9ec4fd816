import type { Logger } from '#src/lib/logger.js';
import { NO_CHANGES, type Changes } from '#src/services/live/change-feed.js';
import type { Live } from '#src/services/live/live.js';
import type { LogAddition } from '#src/services/live/live-log-tail.js';
import type { Topic } from '#src/services/live/topics.js';
import { eventMessage, type EventStream } from './event-stream.js';

/** What a live page shows, for all who look at it: nothing in it depends on the viewer. */
export interface LiveSource {
  topics: readonly Topic[];
  /**
   * HTML of elements with ids, each marked `hx-swap-oob="outerMorph"`: those that show what has changed. Empty, nothing.
   * @param changes undefined: the page's whole present state
   */
  render(changes?: Changes): Promise<string>;
  /** Goes along as events named `log`. */
  log?: {
    runId: string;
    render(addition: LogAddition): string;
    /** Whether what the page shows changes with its log. */
    changesPage?(): boolean;
  };
}

/** The viewers of one page: everything is read and rendered once for all of them. */
export interface Channel {
  /** Sends the present state, and what changes from then on. */
  join(stream: EventStream): void;
  leave(stream: EventStream): void;
  readonly viewers: ReadonlySet<EventStream>;
  close(): void;
}

export function openChannel(live: Live, source: LiveSource, log: Pick<Logger, 'warn'>): Channel {
  const closing = new AbortController();
  const viewers = new Set<EventStream>();
  /** Those who have the present state; the others get it with what is next in `work`. */
  const current = new Set<EventStream>();
  let state: Buffer | undefined;
  let lastSent: Buffer | undefined;
  let pending: Changes | undefined;
  let work = Promise.resolve();

  /** One after another, so that nobody is told a change before the state that it changes. */
  function enqueue(job: () => Promise<void>): void {
    work = work.then(job).catch((err: unknown) => {
      log.warn({ err }, 'could not read a live page; its viewers reconnect');
      state = undefined;
      for (const viewer of viewers) viewer.end();
    });
  }

  async function showState(stream: EventStream): Promise<void> {
    if (!viewers.has(stream)) return;
    state ??= eventMessage(await source.render());
    stream.send(state);
    current.add(stream);
  }

  async function showChanges(): Promise<void> {
    const changes = pending!;
    pending = undefined;
    state = undefined;
    if (current.size === 0) return;
    const html = await source.render(changes);
    if (html === '') return;
    const message = eventMessage(html);
    if (lastSent?.equals(message)) return;
    lastSent = message;
    for (const viewer of current) viewer.send(message);
  }

  function changed(changes: Changes): void {
    if (!pending) enqueue(showChanges);
    pending = pending ? { runs: [...pending.runs, ...changes.runs], isAll: pending.isAll || changes.isAll } : changes;
  }
  live.watch(source.topics, closing.signal, changed);

  const { log: shown } = source;
  let recentLog: Buffer | undefined;
  const logMessage = (addition: LogAddition) => eventMessage(shown!.render(addition), 'log');
  const logWatch =
    shown &&
    live.watchLog(shown.runId, closing.signal, (addition) => {
      recentLog = undefined;
      const message = logMessage(addition);
      for (const viewer of viewers) viewer.send(message);
      if (shown.changesPage?.()) changed(NO_CHANGES);
    });

  return {
    viewers,
    join(stream) {
      viewers.add(stream);
      stream.ping();
      enqueue(() => showState(stream));
      const recent = logWatch?.recent();
      if (recent) stream.send((recentLog ??= logMessage(recent)));
    },
    leave(stream) {
      viewers.delete(stream);
      current.delete(stream);
    },
    close: () => closing.abort(),
  };
}
