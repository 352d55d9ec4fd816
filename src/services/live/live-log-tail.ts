import type { LogBounds, LogPlace, LogReads } from '#src/db/runs/run-logs.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { isTerminal, type RunStatus } from '#src/domain/runs/run-status.js';

/** Of one look. */
const MOST: LogBounds = { lines: 2000, characters: 500_000 };
/** Kept for those who come later or come again. */
const RECENT: LogBounds = { lines: 200, characters: 100_000 };
/** The last lines of a run may be seen after its end: so many looks that find nothing more are the end of its log. */
const LOOKS_AFTER_END = 6;

/** Lines that follow one another, and what they follow. */
export interface LogAddition {
  /** Absent: the beginning of the log. */
  after?: LogPlace;
  lines: LogLine[];
}

/** The end of a run's log, read once for all who watch it. */
export function createLogTail(runId: string, reads: LogReads) {
  let recent: LogAddition | undefined;
  let looksLeft = Infinity;

  return {
    /** The last lines so far; undefined before the first look. */
    recent: (): LogAddition | undefined => recent,

    /** A run that is over is soon not asked for any more. */
    told(status: RunStatus): void {
      looksLeft = isTerminal(status) ? Math.min(looksLeft, LOOKS_AFTER_END) : Infinity;
    },

    /** @returns what is new, the first time the last lines; undefined, nothing. @throws the driver's error */
    async look(): Promise<LogAddition | undefined> {
      if (looksLeft === 0) return undefined;
      if (!recent) {
        const { lines, isLonger } = await reads.before(runId, undefined, RECENT);
        const [first, ...others] = lines;
        recent = isLonger && first ? { after: first, lines: others } : { lines };
        return recent;
      }
      const last = recent.lines.at(-1) ?? recent.after;
      const { lines } = await reads.after(runId, last, MOST);
      if (lines.length === 0) {
        looksLeft--;
        return undefined;
      }
      recent = shortened({ ...recent, lines: [...recent.lines, ...lines] });
      return { after: last, lines };
    },
  };
}

export type LogTail = ReturnType<typeof createLogTail>;

/** The last of them only. */
function shortened({ after, lines }: LogAddition): LogAddition {
  const dropped = lines.length - RECENT.lines;
  return dropped <= 0 ? { after, lines } : { after: lines[dropped - 1]!, lines: lines.slice(dropped) };
}
