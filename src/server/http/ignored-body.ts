import type { IncomingMessage } from 'node:http';
import { entityTooLarge } from '@hapi/boom';

/** Bytes read and discarded before a rejection, so that a client that is still sending gets to read the response. */
const PATIENCE_BYTES = 4 * 1024 * 1024;

/** Options of a route that accepts every body and content type, and reads it by `ignoreBody` only. */
export const ignoredBody = {
  parse: false,
  output: 'stream',
  override: 'application/octet-stream',
  maxBytes: Number.MAX_SAFE_INTEGER,
} as const;

/**
 * Reads a request's body to its end and discards it.
 * @throws Boom 413 for a body over `maxBytes`; Error when the client disconnects
 */
export function ignoreBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const tooLarge = () =>
      entityTooLarge(`The request body is too large. Send at most ${maxBytes / 1024} KiB, or no body: it is ignored.`);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > PATIENCE_BYTES) reject(tooLarge());
    });
    request.on('end', () => (bytes > maxBytes ? reject(tooLarge()) : resolve()));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client closed the connection while sending the body')));
  });
}
