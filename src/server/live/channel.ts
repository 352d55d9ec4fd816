import type { Logger } from '#src/lib/logger.js';
import { NO_CHANGES, type Changes } from '#src/services/live/change-feed.js';
import type { Live } from '#src/services/live/live.js';
import type { LogAddition } from '#src/services/live/live-log-tail.js';
import type { Topic } from '#src/services/live/topics.js';
import { eventMessage, type EventStream } from './event-stream.js';

/** Content of a live page. It must not depend on the viewer, because all viewers share it. */
export interface LiveSource {
  topics: readonly Topic[];
  /**
   * Renders elements with an `id` and `hx-swap-oob="outerMorph"` that show the changes; empty if the page does not change.
   * @param changes undefined: render the whole current state
   */
  render(changes?: Changes): Promise<string>;
  /** Sent as events named `log`. */
  log?: {
    runId: string;
    render(addition: LogAddition): string;
    /** Whether additions to the log also change the page. */
    changesPage?(): boolean;
  };
}

/** The viewers of one page. It is read and rendered once for all of them. */
export interface Channel {
  /** Sends the current state, then changes. */
  join(stream: EventStream): void;
  leave(stream: EventStream): void;
  readonly viewers: ReadonlySet<EventStream>;
  close(): void;
}

export function openChannel(live: Live, source: LiveSource, log: Pick<Logger, 'warn'>): Channel {
  const closing = new AbortController();
  const viewers = new Set<EventStream>();
  /** Viewers that have the current state; the queue will send it to the others. */
  const current = new Set<EventStream>();
  let state: Buffer | undefined;
  let lastSent: Buffer | undefined;
  let pending: Changes | undefined;
  let queue = Promise.resolve();

  /** In order, so that no viewer receives a change before the state that it applies to. */
  function enqueue(job: () => Promise<void>): void {
    queue = queue.then(job).catch((err: unknown) => {
      log.warn({ err }, 'could not read a live page; its viewers reconnect');
      state = undefined;
      for (const viewer of viewers) viewer.end();
    });
  }

  async function sendState(stream: EventStream): Promise<void> {
    if (!viewers.has(stream)) return;
    state ??= eventMessage(await source.render());
    stream.send(state);
    current.add(stream);
  }

  async function sendChanges(): Promise<void> {
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
    if (!pending) enqueue(sendChanges);
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
      enqueue(() => sendState(stream));
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
