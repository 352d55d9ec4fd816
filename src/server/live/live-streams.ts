import { UnavailableError } from '../../domain/errors.js';
import type { Logger } from '../../logger.js';
import type { Live } from '../../services/live/live.js';
import { openChannel, type Channel, type LiveSource } from './channel.js';
import { openEventStream, type EventStream } from './event-stream.js';

const PING_EVERY_MS = 15_000;
/** A stream ends after so long, and its browser comes again at once: through the door, which asks for its rights. */
const LIFE_MS = { least: 60_000, most: 90_000 };
const RETRY_AFTER_SECONDS = 5;

export interface LiveStreamsDeps {
  live: Live;
  log: Pick<Logger, 'warn'>;
  /** Open at the same time at most. */
  most: number;
}

/** The streams of a server process: those of the same page share a channel. */
export interface LiveStreams {
  /**
   * Opens a stream for a viewer.
   * @param key of the page; what `source` gives is the same for every viewer of it
   * @throws UnavailableError when there are too many
   */
  open(key: string, source: () => LiveSource): EventStream;
  /** Ends all streams, and takes no new ones: the browsers come again elsewhere. */
  end(): void;
}

export function createLiveStreams({ live, log, most }: LiveStreamsDeps): LiveStreams {
  const channels = new Map<string, Channel>();
  const streams = new Set<EventStream>();
  let isEnded = false;
  let pings: NodeJS.Timeout | undefined;

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

  return {
    open(key, source) {
      if (isEnded || streams.size >= most)
        throw new UnavailableError(
          'This server has no room for another live page. It is tried again.',
          RETRY_AFTER_SECONDS,
        );
      const channel = channelOf(key, source);
      const stream = openEventStream(() => {
        clearTimeout(life);
        left(key, channel, stream);
      });
      const life = setTimeout(stream.end, LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least));
      if (streams.size === 0) pings = setInterval(() => streams.forEach((one) => one.ping()), PING_EVERY_MS);
      streams.add(stream);
      channel.join(stream);
      return stream;
    },

    end() {
      isEnded = true;
      for (const stream of streams) stream.end();
    },
  };
}
