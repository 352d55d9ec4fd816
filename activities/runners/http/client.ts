import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request as send } from 'undici';
import type { NetworkGuard } from '#activities/network/network-guard.js';
import type { OutgoingRequest } from './build-request.js';

/** Maximum size of a response body in bytes, compressed and decompressed. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_HEAD_BYTES = 64 * 1024;

/** A response with its whole body. Times in ms since the start of the request. */
export interface HttpResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string[]>;
  body: Buffer;
  /** Time to establish the connection; absent if an existing one was used. */
  connectMs?: number | undefined;
  firstByteMs: number;
  totalMs: number;
}

export class TooLargeError extends Error {
  override name = 'TooLargeError';
  constructor() {
    super('the response is larger than 5 MiB');
  }
}

/** The connections of one attempt. */
export interface Client {
  /**
   * One at a time.
   * @throws undici's errors, NetworkRefusedError, TooLargeError; the signal's reason
   */
  exchange(request: OutgoingRequest, signal: AbortSignal): Promise<HttpResponse>;
  close(): Promise<void>;
}

export function createClient(guard: NetworkGuard, { insecure = false }: { insecure?: boolean | undefined }): Client {
  const connect = guard.connector({ rejectUnauthorized: !insecure, timeout: 0 });
  let connectMs: number | undefined;
  let current: AbortSignal;
  const agent = new Agent({
    connect(target, callback) {
      const begin = performance.now();
      const signal = current;
      // undici observes the signal of a request only once it is connected.
      const giveUp = () => {
        socket?.destroy();
        callback(signal.reason as Error, null);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const socket = connect(target, (...result) => {
        signal.removeEventListener('abort', giveUp);
        connectMs = performance.now() - begin;
        callback(...result);
      });
    },
    connections: 1,
    maxHeaderSize: MAX_HEAD_BYTES,
    // The signal of the request ends it instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async exchange({ method, url, headers, body }, signal) {
      signal.throwIfAborted();
      current = signal;
      const begin = performance.now();
      connectMs = undefined;
      const response = await send(url, {
        dispatcher: agent,
        method,
        headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
        body: body ?? null,
        signal,
      });
      const firstByteMs = performance.now() - begin;
      const responseHeaders = listsOf(response.headers);
      const hasNoBody = method === 'HEAD' || [204, 304].includes(response.statusCode);
      const content = await readAll(response.body, hasNoBody ? [] : (responseHeaders['content-encoding'] ?? []));
      return {
        status: response.statusCode,
        headers: responseHeaders,
        body: content,
        connectMs,
        firstByteMs,
        totalMs: performance.now() - begin,
      };
    },
    close: () => agent.destroy(),
  };
}

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** @throws TooLargeError before more than the limit is in memory, because a small body can decompress to any size */
async function readAll(body: AsyncIterable<Buffer>, encodings: string[]): Promise<Buffer> {
  const names = encodings.flatMap((list) => list.split(',')).map((name) => name.trim().toLowerCase());
  // Unknown encodings are left encoded, and so are more than two layers, which only attacks use.
  const isDecodable = names.length <= 2 && names.every((name) => Object.hasOwn(DECODERS, name));
  const chunks: Buffer[] = [];
  if (names.length === 0 || !isDecodable) {
    await collect(body, chunks);
  } else {
    const decoded = new PassThrough();
    const decoding = pipeline([
      Readable.from(withinLimit(body)),
      ...names.reverse().map((name) => DECODERS[name]!()),
      decoded,
    ]);
    await Promise.all([decoding, collect(decoded, chunks)]);
  }
  return Buffer.concat(chunks);
}

async function collect(source: AsyncIterable<Buffer>, chunks: Buffer[]): Promise<void> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new TooLargeError();
    chunks.push(chunk);
  }
}

async function* withinLimit(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new TooLargeError();
    yield chunk;
  }
}

function listsOf(headers: Record<string, string | string[] | undefined>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]));
}
