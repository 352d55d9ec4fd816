import type { Readable } from 'node:stream';

/**
 * Splits content into pieces of equal size; the last one may be smaller. At most two are in memory.
 * @throws the signal's reason when it is aborted while reading, or the source's error
 */
export async function* piecesOf(
  content: Buffer | Readable,
  pieceBytes: number,
  ended: AbortSignal,
): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(content)) {
    for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
    return;
  }
  const giveUp = () => content.destroy(ended.reason);
  if (ended.aborted) giveUp();
  else ended.addEventListener('abort', giveUp, { once: true });
  try {
    let waiting: Buffer[] = [];
    let length = 0;
    for await (const chunk of content) {
      let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      while (length + rest.length >= pieceBytes) {
        const filled = Buffer.concat([...waiting, rest.subarray(0, pieceBytes - length)]);
        rest = rest.subarray(pieceBytes - length);
        waiting = [];
        length = 0;
        yield filled;
      }
      if (rest.length > 0) waiting.push(rest);
      length += rest.length;
    }
    if (length > 0) yield Buffer.concat(waiting);
  } finally {
    ended.removeEventListener('abort', giveUp);
  }
}
