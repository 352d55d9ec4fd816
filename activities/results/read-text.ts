import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** Size of a piece; the reader yields to other work between two. */
const PIECE_BYTES = 64 * 1024;

/** A file cannot be read as results. The message follows the file's name. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/**
 * The text of an XML file in pieces, in the encoding of its byte order mark or declaration, else UTF-8. Invalid bytes
 * become U+FFFD.
 * @throws UnreadableError
 */
export async function* readText(content: Readable | Buffer): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of Buffer.isBuffer(content) ? [content] : piecesOf(content)) {
    decoder ??= decoderOf(chunk);
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

async function* piecesOf(content: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        yield chunk.subarray(at, at + PIECE_BYTES);
        await turn();
      }
  } catch (error) {
    throw new UnreadableError(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function decoderOf(first: Buffer): TextDecoder {
  const label = encodingOf(first);
  try {
    return new TextDecoder(label);
  } catch {
    throw new UnreadableError(`has an unknown encoding (${label}): write UTF-8`);
  }
}

function encodingOf(first: Buffer): string {
  const mark = first.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return 'utf-16le';
  if (mark === '\xfe\xff') return 'utf-16be';
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
  return declared.exec(first.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
}
