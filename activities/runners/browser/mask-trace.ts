import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile as OpenZip } from 'yauzl';
import { ZipFile } from 'yazl';

/** Kept as they are: what the page looked like, and how letters do. */
const PICTURES = /\.(jpe?g|png|gif|webp|avif|ico|woff2?|ttf|otf)$/i;
/** A line for each event: masked one by one. */
const LINES = /\.(trace|network|stacks)$/;
/** Resources that are larger are left out. */
const LARGEST_TEXT = 16 * 1024 * 1024;

/**
 * Writes a trace anew with the run's secrets masked in all its texts. What is neither text nor a picture is left out.
 * @throws an error when the trace cannot be read or written
 */
export async function maskTrace(from: string, to: string, mask: (text: string) => string): Promise<void> {
  const source = await openPromise(from, { autoClose: false });
  const target = new ZipFile();
  const written = pipeline(target.outputStream, createWriteStream(to));
  // Seen below, when all entries are in.
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
  if (PICTURES.test(name)) return add(target, name, await source.openReadStreamPromise(entry));
  if (entry.uncompressedSize > LARGEST_TEXT) return;
  const content = await bufferOf(await source.openReadStreamPromise(entry));
  const text = content.toString('utf8');
  // Bytes that are no text may hold what no mask finds.
  if (!Buffer.from(text).equals(content)) return;
  target.addBuffer(Buffer.from(mask(text)), name);
}

/** An entry at a time, so that one stream is open and memory stays flat. */
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
