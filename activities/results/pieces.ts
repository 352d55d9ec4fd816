import type { Readable } from 'node:stream';

/**
 * A content in pieces of so many bytes each, but the last; no more than two of them are in memory.
 * @throws the signal's reason when it is aborted while the source keeps us waiting, or what the source throws
 */
export async function* piecesOf(content: Buffer | Readable, bytes: number, ended: AbortSignal): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(content)) {
    for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
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
      while (length + rest.length >= bytes) {
        const filled = Buffer.concat([...waiting, rest.subarray(0, bytes - length)]);
        rest = rest.subarray(bytes - length);
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
