import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#src/domain/errors.js';
import type { Logger } from '#src/lib/logger.js';
import type { StreamRights, StreamViewer } from '#src/services/live/stream-rights.js';
import type { Live } from '#src/services/live/live.js';
import { openChannel, type Channel, type LiveSource } from './channel.js';
import { openEventStream, type EventStream } from './event-stream.js';

const PING_EVERY_MS = 15_000;
/** Interval of checking rights: a stream ends within 5 s after its viewer lost the right, on every server. */
const CHECK_EVERY_MS = 2000;
/** Random lifetime of a stream. The browser then reconnects, perhaps to another server. */
const LIFE_MS = { min: 60_000, max: 90_000 };
const RETRY_AFTER_SECONDS = 5;

interface LiveStreamsDeps {
  live: Live;
  log: Pick<Logger, 'warn'>;
  /** Most concurrent streams. */
  maxStreams: number;
  rights: StreamRights;
}

/** The streams of a server process. Streams of the same page share a channel. */
export interface LiveStreams {
  /**
   * Opens a stream for a viewer. It ends when the viewer loses the right.
   * @param key identifies the page, for which `source` is the same for every viewer
   * @throws UnavailableError when there are too many streams
   */
  open(key: string, viewer: StreamViewer, source: () => LiveSource): EventStream;
  /** Ends all streams and rejects new ones: browsers reconnect to another server. */
  end(): void;
}

export function createLiveStreams({ live, log, maxStreams, rights }: LiveStreamsDeps): LiveStreams {
  const channels = new Map<string, Channel>();
  const streams = new Map<EventStream, StreamViewer>();
  let isEnded = false;
  let pings: NodeJS.Timeout | undefined;
  let isChecking = false;

  function channelOf(key: string, source: () => LiveSource): Channel {
    const channel = channels.get(key) ?? openChannel(live, source(), log);
    channels.set(key, channel);
    return channel;
  }

  function onStreamEnd(key: string, channel: Channel, stream: EventStream): void {
    streams.delete(stream);
    channel.leave(stream);
    if (channel.viewers.size === 0 && channels.get(key) === channel) {
      channels.delete(key);
      channel.close();
    }
    if (streams.size === 0) clearInterval(pings);
  }

  /** Checks rights while streams are open. A failed check is only retried, because streams have a limited lifetime. */
  async function checkWhileOpen(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    while (streams.size > 0) {
      await sleep(CHECK_EVERY_MS, undefined, { ref: false });
      const open = [...streams].map(([stream, viewer]) => ({ stream, ...viewer }));
      try {
        for (const { stream } of open.length > 0 ? await rights(open) : []) stream.end();
      } catch (err) {
        log.warn({ err }, 'could not check the rights of live page viewers; retrying');
      }
    }
    isChecking = false;
  }

  return {
    open(key, viewer, source) {
      if (isEnded || streams.size >= maxStreams)
        throw new UnavailableError('Too many live pages on this server. Retrying.', RETRY_AFTER_SECONDS);
      const channel = channelOf(key, source);
      const stream = openEventStream(() => {
        clearTimeout(life);
        onStreamEnd(key, channel, stream);
      });
      const life = setTimeout(stream.end, LIFE_MS.min + Math.random() * (LIFE_MS.max - LIFE_MS.min));
      if (streams.size === 0)
        pings = setInterval(() => [...streams.keys()].forEach((one) => one.ping()), PING_EVERY_MS);
      streams.set(stream, viewer);
      void checkWhileOpen();
      channel.join(stream);
      return stream;
    },

    end() {
      isEnded = true;
      for (const stream of streams.keys()) stream.end();
    },
  };
}
