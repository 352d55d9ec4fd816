import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request as send } from 'undici';
import type { NetworkGuard } from '#activities/network/network-guard.js';
import type { OutgoingRequest } from './request.js';

/** Of an answer at most, in bytes, as it comes and decompressed. */
export const LARGEST_BODY = 5 * 1024 * 1024;
const LARGEST_HEAD = 64 * 1024;

/** An answer with its whole body. Times in ms from the request's begin. */
export interface Answer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string[]>;
  body: Buffer;
  /** How long a new connection took; absent: it was there. */
  connectMs?: number;
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
  /** @throws what undici says, NetworkRefusedError, TooLargeError */
  exchange(request: OutgoingRequest, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export function createClient(guard: NetworkGuard, { insecure = false }: { insecure?: boolean | undefined }): Client {
  const connect = guard.connector({ rejectUnauthorized: !insecure, timeout: 0 });
  let connectMs: number | undefined;
  const agent = new Agent({
    connect(target, callback) {
      const begin = performance.now();
      connect(target, (...result) => {
        connectMs = performance.now() - begin;
        callback(...result);
      });
    },
    connections: 1,
    maxHeaderSize: LARGEST_HEAD,
    // The request's own signal ends it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async exchange({ method, url, headers, body }, signal) {
      const begin = performance.now();
      connectMs = undefined;
      const answer = await send(url, {
        dispatcher: agent,
        method,
        headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
        body: body ?? null,
        signal,
      });
      const firstByteMs = performance.now() - begin;
      const answerHeaders = listsOf(answer.headers);
      const hasNone = method === 'HEAD' || [204, 304].includes(answer.statusCode);
      const content = await readAll(answer.body, hasNone ? [] : (answerHeaders['content-encoding'] ?? []));
      return {
        status: answer.statusCode,
        headers: answerHeaders,
        body: content,
        ...(connectMs === undefined ? {} : { connectMs }),
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

/** @throws TooLargeError before more than the limit is held: a small answer may decompress to anything */
async function readAll(body: AsyncIterable<Buffer>, encodings: string[]): Promise<Buffer> {
  const names = encodings.flatMap((list) => list.split(',')).map((name) => name.trim().toLowerCase());
  // What nobody can read is left as it is; more layers than two nobody needs.
  const isReadable = names.length <= 2 && names.every((name) => Object.hasOwn(DECODERS, name));
  const chunks: Buffer[] = [];
  if (names.length === 0 || !isReadable) {
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
    if (bytes > LARGEST_BODY) throw new TooLargeError();
    chunks.push(chunk);
  }
}

async function* withinLimit(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY) throw new TooLargeError();
    yield chunk;
  }
}

function listsOf(headers: Record<string, string | string[] | undefined>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]));
}
