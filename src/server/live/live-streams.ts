import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#src/domain/errors.js';
import type { Logger } from '#src/lib/logger.js';
import type { StreamRights, StreamViewer } from '#src/services/live/stream-rights.js';
import type { Live } from '#src/services/live/live.js';
import { openChannel, type Channel, type LiveSource } from './channel.js';
import { openEventStream, type EventStream } from './event-stream.js';

const PING_EVERY_MS = 15_000;
/** Between two looks at the viewers' rights: a stream ends within 5 s of its viewer's right, on every server. */
const CHECK_EVERY_MS = 2000;
/** A stream ends after so long, and its browser connects again: perhaps to another server. */
const LIFE_MS = { least: 60_000, most: 90_000 };
const RETRY_AFTER_SECONDS = 5;

interface LiveStreamsDeps {
  live: Live;
  log: Pick<Logger, 'warn'>;
  /** Open at the same time at most. */
  most: number;
  rights: StreamRights;
}

/** The streams of a server process: those of the same page share a channel. */
export interface LiveStreams {
  /**
   * Opens a stream for a viewer. It ends when the viewer's right does.
   * @param key of the page; what `source` gives is the same for every viewer of it
   * @throws UnavailableError when there are too many
   */
  open(key: string, viewer: StreamViewer, source: () => LiveSource): EventStream;
  /** Ends all streams, and takes no new ones: the browsers come again elsewhere. */
  end(): void;
}

export function createLiveStreams({ live, log, most, rights }: LiveStreamsDeps): LiveStreams {
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

  function left(key: string, channel: Channel, stream: EventStream): void {
    streams.delete(stream);
    channel.leave(stream);
    if (channel.viewers.size === 0 && channels.get(key) === channel) {
      channels.delete(key);
      channel.close();
    }
    if (streams.size === 0) clearInterval(pings);
  }

  /** While anything is open. What cannot be looked up is looked up again: its streams have an end in any case. */
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
      if (isEnded || streams.size >= most)
        throw new UnavailableError('Too many live pages on this server. Retrying.', RETRY_AFTER_SECONDS);
      const channel = channelOf(key, source);
      const stream = openEventStream(() => {
        clearTimeout(life);
        left(key, channel, stream);
      });
      const life = setTimeout(stream.end, LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least));
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
