/** Maximum length of a line in bytes; longer lines are split into pieces of this size. */
export const MAX_LINE_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Receives one line without its line break. @returns whether it accepts another line */
export type TakeLine = (text: string, bytes: number) => boolean;

export interface LineSplitter {
  /** Splits a chunk into lines until `take` returns false. @returns how many bytes of the chunk were used */
  push(chunk: Buffer, take: TakeLine): number;
  /** Removes and returns the bytes of the incomplete line. */
  rest(): Buffer;
}

/** Where to end a piece without splitting a UTF-8 character: `end` or up to three bytes before it. */
function characterBoundary(bytes: Buffer, end: number): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[end - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? end - back : end;
  }
  return end;
}

/** The text of a line; invalid UTF-8 becomes U+FFFD. */
export function lineText(bytes: Buffer, start = 0, end = bytes.length): string {
  return bytes.toString('utf8', start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
}

/**
 * Splits a stream of bytes into lines. Works on bytes, so that characters that span two chunks are not broken (in
 * UTF-8, a newline byte is never part of another character). Buffers at most one incomplete line of MAX_LINE_BYTES.
 */
export function createLineSplitter(): LineSplitter {
  let hold: Buffer | undefined;
  let held = 0;

  function keep(chunk: Buffer, start: number, end: number): Buffer {
    hold ??= Buffer.allocUnsafe(MAX_LINE_BYTES);
    held += chunk.copy(hold, held, start, end);
    return hold;
  }

  function push(chunk: Buffer, take: TakeLine): number {
    let position = 0;
    while (position < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, position);
      const end = newline < 0 ? chunk.length : newline;
      const room = MAX_LINE_BYTES - held;
      let more: boolean;
      if (end - position > room) {
        const piece = keep(chunk, position, position + room);
        const boundary = characterBoundary(piece, held);
        more = take(piece.toString('utf8', 0, boundary), boundary);
        position += room;
        held = piece.copy(piece, 0, boundary, held);
      } else if (newline < 0) {
        keep(chunk, position, end);
        return chunk.length;
      } else if (held > 0) {
        const line = keep(chunk, position, end);
        more = take(lineText(line, 0, held), held + 1);
        held = 0;
        position = newline + 1;
      } else {
        more = take(lineText(chunk, position, end), end - position + 1);
        position = newline + 1;
      }
      if (!more) break;
    }
    return position;
  }

  function rest(): Buffer {
    const bytes = Buffer.from(hold?.subarray(0, held) ?? []);
    held = 0;
    return bytes;
  }

  return { push, rest };
}
