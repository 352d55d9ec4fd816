import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A file cannot be read as results. The message goes on after the file's name. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/**
 * The text of an XML file, a piece at a time: in the encoding of its byte order mark or its declaration, else UTF-8.
 * Bytes that are none of it become U+FFFD.
 * @param maxBytes no more is read; `onCut` is told when there was more
 * @throws UnreadableError, AbortError
 */
export async function* readText(
  path: string,
  { maxBytes, onCut, signal }: { maxBytes: number; onCut(): void; signal: AbortSignal },
): AsyncGenerator<{ text: string; bytes: number }> {
  // A link that has come since is not followed; a pipe that nobody writes to is not waited for.
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableError(`cannot be read (${error.code})`);
  });
  try {
    if (!(await file.stat()).isFile()) throw new UnreadableError('is not a file');
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let decoder: TextDecoder | undefined;
    for (let left = maxBytes; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, left + 1));
      const bytes = buffer.subarray(0, Math.min(bytesRead, left));
      decoder ??= decoderOf(bytes);
      const isEnd = bytesRead === 0 || bytesRead > left;
      yield { text: decoder.decode(bytes, { stream: !isEnd }), bytes: bytes.length };
      if (bytesRead > left) onCut();
      if (isEnd) return;
      left -= bytes.length;
    }
  } finally {
    await file.close();
  }
}

function decoderOf(first: Buffer): TextDecoder {
  const label = encodingOf(first);
  try {
    return new TextDecoder(label);
  } catch {
    throw new UnreadableError(`is in an encoding that is not known (${label}): write UTF-8`);
  }
}

function encodingOf(first: Buffer): string {
  const mark = first.readUIntBE(0, Math.min(2, first.length) || 1);
  if (mark === 0xfffe) return 'utf-16le';
  if (mark === 0xfeff) return 'utf-16be';
  const declared = /^\s*<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
  return declared.exec(first.toString('latin1', 0, 200).replace(/^\xef\xbb\xbf/, ''))?.[1] ?? 'utf-8';
}
