import { PassThrough, type Readable } from 'node:stream';

/** A reader who is this far behind is let go: he comes again, and is shown the present. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** A message of server-sent events. @param event none: HTML for htmx to swap in; else one for scripts */
export function eventMessage(data: string, event?: string): Buffer {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`);
}

const END_WITHIN_MS = 5000;
const PING = Buffer.from(': still here\n\n');

/** One reader's stream of events. */
export interface EventStream {
  body: Readable;
  /** Sends a message, or lets a reader go who does not read. */
  send(message: Buffer): void;
  /** Keeps proxies from thinking that nothing comes any more. */
  ping(): void;
  /** Ends it behind what was sent. */
  end(): void;
}

/** @param onEnd called once, whoever has ended it */
export function openEventStream(onEnd: () => void): EventStream {
  const body = new PassThrough();
  body.once('close', onEnd);
  const send = (message: Buffer) => {
    if (body.destroyed || body.writableEnded) return;
    body.write(message);
    if (body.writableLength + body.readableLength > MOST_WAITING_BYTES) body.destroy();
  };
  return {
    body,
    send,
    ping: () => send(PING),
    end() {
      body.end();
      // Whoever does not read does not reach the end either.
      setTimeout(() => body.destroy(), END_WITHIN_MS).unref();
    },
  };
}
