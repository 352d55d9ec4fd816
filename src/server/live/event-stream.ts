import { PassThrough, type Readable } from 'node:stream';

/** A client that is further behind is disconnected; it reconnects and gets the current state. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** Formats a server-sent event. @param event name, for events that scripts handle; default: HTML for htmx to swap in */
export function eventMessage(data: string, event?: string): Buffer {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`);
}

const END_WITHIN_MS = 5000;
const PING = Buffer.from(': still here\n\n');

/** The event stream of one client. */
export interface EventStream {
  body: Readable;
  /** Sends a message, or disconnects a client that does not read. */
  send(message: Buffer): void;
  /** Keeps proxies from closing an idle connection. */
  ping(): void;
  /** Ends the stream after the messages that were sent. */
  end(): void;
}

/** @param onEnd called once, when the server or the client has ended the stream */
export function openEventStream(onEnd: () => void): EventStream {
  const body = new PassThrough();
  body.once('close', onEnd);
  const send = (message: Buffer) => {
    if (body.destroyed || body.writableEnded) return;
    body.write(message);
    if (body.writableLength + body.readableLength > MAX_BUFFERED_BYTES) body.destroy();
  };
  return {
    body,
    send,
    ping: () => send(PING),
    end() {
      body.end();
      // A client that does not read never reaches the end.
      setTimeout(() => body.destroy(), END_WITHIN_MS).unref();
    },
  };
}
