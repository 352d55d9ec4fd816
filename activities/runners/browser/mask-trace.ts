import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile as OpenZip } from 'yauzl';
import { ZipFile } from 'yazl';

/** Images and fonts are copied unchanged. */
const BINARY = /\.(jpe?g|png|gif|webp|avif|ico|woff2?|ttf|otf)$/i;
/** Files with one event per line, which are masked line by line. */
const LINES = /\.(trace|network|stacks)$/;
/** Larger text resources are omitted. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Copies a trace with the run's secrets masked in all its texts. Entries that are neither text nor images are omitted.
 * @throws an error if the trace cannot be read or written
 */
export async function maskTrace(from: string, to: string, mask: (text: string) => string): Promise<void> {
  const source = await openPromise(from, { autoClose: false });
  const target = new ZipFile();
  const written = pipeline(target.outputStream, createWriteStream(to));
  // Handled below.
  written.catch(() => {});
  try {
    for await (const entry of source.eachEntry()) await copy(source, entry, target, mask);
    target.end();
    await written;
  } finally {
    source.close();
  }
}

async function copy(source: OpenZip, entry: Entry, target: ZipFile, mask: (text: string) => string): Promise<void> {
  const name = entry.fileName;
  if (name.endsWith('/')) return;
  if (LINES.test(name)) {
    const lines = Readable.from(maskedLines(await source.openReadStreamPromise(entry), mask));
    return add(target, name, lines);
  }
  if (BINARY.test(name)) return add(target, name, await source.openReadStreamPromise(entry));
  if (entry.uncompressedSize > MAX_TEXT_BYTES) return;
  const content = await bufferOf(await source.openReadStreamPromise(entry));
  const text = content.toString('utf8');
  // Secrets cannot be masked in binary content.
  if (!Buffer.from(text).equals(content)) return;
  target.addBuffer(Buffer.from(mask(text)), name);
}

/** One entry at a time, so that memory use stays constant. */
async function add(target: ZipFile, name: string, content: Readable): Promise<void> {
  const through = new PassThrough();
  target.addReadStream(through, name);
  await pipeline(content, through);
}

async function* maskedLines(content: Readable, mask: (text: string) => string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: content, crlfDelay: Infinity })) yield `${mask(line)}\n`;
}

async function bufferOf(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
