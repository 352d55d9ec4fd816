import type { LogStream } from '#src/domain/runs/log-line.js';
import { createLineSplitter, lineText, type LineSplitter } from './line-splitter.js';

const BLOCK_BYTES = 16 * 1024;
const MAX_BLOCKS = 1024;

interface Block {
  stream: LogStream;
  at: Date;
  bytes: Buffer;
  used: number;
}

export interface TailLine {
  stream: LogStream;
  at: Date;
  text: string;
  /** Its length in the output, including the line break. */
  bytes: number;
}

export interface LogTail {
  add(stream: LogStream, chunk: Buffer, at: Date): void;
  /** The last lines, and how many bytes before them were omitted. To be called once. */
  end(): { lines: TailLine[]; leftOut: number };
}

/**
 * The end of a long output. Stores raw bytes and only splits them into lines at the end, so that a flood just costs
 * copying.
 * @param maxBytes to keep, where each line counts for its bytes plus `lineCost`
 */
export function createLogTail(maxBytes: number, lineCost: number): LogTail {
  const blocks: Block[] = [];
  let kept = 0;
  let added = 0;

  function append(stream: LogStream, piece: Buffer, at: Date): void {
    const last = blocks.at(-1);
    if (last?.stream === stream && last.used + piece.length <= last.bytes.length) {
      last.used += piece.copy(last.bytes, last.used);
    } else {
      // Small blocks for streams that alternate with tiny writes keep memory proportional to the output.
      const bytes = Buffer.allocUnsafe(last?.stream === stream ? BLOCK_BYTES : Math.max(piece.length, 256));
      blocks.push({ stream, at, bytes, used: piece.copy(bytes) });
    }
    kept += piece.length;
    while (blocks.length > 1 && (kept - blocks[0]!.used >= maxBytes || blocks.length > MAX_BLOCKS)) {
      kept -= blocks.shift()!.used;
    }
  }

  function add(stream: LogStream, chunk: Buffer, at: Date): void {
    added += chunk.length;
    for (let start = 0; start < chunk.length; start += BLOCK_BYTES) {
      append(stream, chunk.subarray(start, start + BLOCK_BYTES), at);
    }
  }

  function end(): { lines: TailLine[]; leftOut: number } {
    const all = allLines(blocks, kept < added);
    let budget = maxBytes;
    let first = all.length;
    while (first > 0 && (budget -= all[first - 1]!.bytes + lineCost) >= 0) first--;
    const lines = all.slice(first);
    const bytes = lines.reduce((sum, line) => sum + line.bytes, 0);
    return { lines, leftOut: added - bytes };
  }

  return { add, end };
}

/** Lines in the order in which they ended. With `cut`, each stream's first line may be incomplete and is omitted. */
function allLines(blocks: Block[], cut: boolean): TailLine[] {
  const lines: TailLine[] = [];
  const splitters = new Map<LogStream, LineSplitter>();
  const skip = new Set<LogStream>(cut ? blocks.map(({ stream }) => stream) : []);
  const take = (stream: LogStream, at: Date) => (text: string, bytes: number) => {
    if (!skip.delete(stream)) lines.push({ stream, at, text, bytes });
    return true;
  };
  for (const { stream, at, bytes, used } of blocks) {
    const splitter = splitters.get(stream) ?? createLineSplitter();
    splitters.set(stream, splitter);
    splitter.push(bytes.subarray(0, used), take(stream, at));
  }
  const at = blocks.at(-1)?.at ?? new Date();
  for (const [stream, splitter] of splitters) {
    const rest = splitter.rest();
    // An incomplete last line is shown even if its beginning was omitted.
    if (rest.length > 0) lines.push({ stream, at, text: lineText(rest), bytes: rest.length });
  }
  return lines;
}
