import type { IncomingMessage } from 'node:http';
import { entityTooLarge } from '@hapi/boom';

/** Read and thrown away before a refusal, so that a caller in the middle of sending gets to read it. */
const PATIENCE_BYTES = 4 * 1024 * 1024;

/** Options of a route that accepts every body and content type, and reads it by `ignoreBody` only. */
export const ignoredBody = {
  parse: false,
  output: 'stream',
  override: 'application/octet-stream',
  maxBytes: Number.MAX_SAFE_INTEGER,
} as const;

/**
 * Reads a request's body to its end and forgets it.
 * @throws Boom 413 for one over `maxBytes`; Error when the caller is gone
 */
export function ignoreBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const tooLarge = () => entityTooLarge(`Send at most ${maxBytes / 1024} KiB; the body of this request is not used.`);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > PATIENCE_BYTES) reject(tooLarge());
    });
    request.on('end', () => (bytes > maxBytes ? reject(tooLarge()) : resolve()));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The caller went away in the middle of the body')));
  });
}
