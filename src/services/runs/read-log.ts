import type { LogBounds, LogPlace, LogReads } from '#src/db/runs/run-logs.js';
import type { LogLine } from '#src/domain/runs/log-line.js';

/** Bounds of one page. */
const PAGE: LogBounds = { lines: 1000, characters: 500_000 };
const WHOLE_STEP: LogBounds = { lines: 5000, characters: 2_000_000 };
/** Lines shown before a requested line. */
const LINES_AROUND = 100;

/** Consecutive lines of a log, and whether there are more on either side. */
export interface LogWindow {
  lines: LogLine[];
  hasEarlier: boolean;
  hasLater: boolean;
}

/** Reads lines around `from`, before `before`, or after `after`. Default: the end of the log. */
export type WindowRequest = { from?: LogPlace; before?: LogPlace; after?: LogPlace };

/** Reads logs of any length a part at a time. */
export function createLogReader({ after: readAfter, before: readBefore }: LogReads) {
  return {
    async window(runId: string, { from, before, after }: WindowRequest): Promise<LogWindow> {
      if (after) {
        const { lines, isLonger } = await readAfter(runId, after, PAGE);
        return { lines, hasEarlier: true, hasLater: isLonger };
      }
      if (from) return around(runId, from);
      const { lines, isLonger } = await readBefore(runId, before, PAGE);
      return { lines, hasEarlier: isLonger, hasLater: before !== undefined };
    },

    /** The whole log, in chunks. */
    async *whole(runId: string): AsyncGenerator<LogLine[]> {
      for (let place: LogPlace | undefined; ;) {
        const { lines, isLonger } = await readAfter(runId, place, WHOLE_STEP);
        yield lines;
        place = lines.at(-1);
        if (!isLonger) return;
      }
    },
  };

  async function around(runId: string, { seq, ...part }: LogPlace): Promise<LogWindow> {
    const [earlier, later] = await Promise.all([
      readBefore(runId, { ...part, seq }, { ...PAGE, lines: LINES_AROUND }),
      readAfter(runId, { ...part, seq: seq - 1 }, { ...PAGE, lines: PAGE.lines - LINES_AROUND }),
    ]);
    return { lines: [...earlier.lines, ...later.lines], hasEarlier: earlier.isLonger, hasLater: later.isLonger };
  }
}
