import type { LogBounds, LogPlace, LogReads } from '#src/db/runs/run-logs.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { isTerminal, type RunStatus } from '#src/domain/runs/run-status.js';

/** Bounds of one read. */
const MAX_READ: LogBounds = { lines: 2000, characters: 500_000 };
/** Bounds of the lines that are cached for new and reconnecting watchers. */
const RECENT: LogBounds = { lines: 200, characters: 100_000 };
/** The last lines of a run may become visible after its end: its log is complete after this number of empty reads. */
const READS_AFTER_END = 6;

/** Consecutive lines, and the line that they follow. */
export interface LogAddition {
  /** Absent at the beginning of the log. */
  after?: LogPlace;
  lines: LogLine[];
}

/** The end of a run's log, read once for all watchers. */
export function createLogTail(runId: string, reads: LogReads) {
  let recent: LogAddition | undefined;
  let readsLeft = Infinity;

  return {
    /** The last lines so far; undefined before the first read. */
    recent: (): LogAddition | undefined => recent,

    /** Limits the number of further reads once the run has ended. */
    statusChanged(status: RunStatus): void {
      readsLeft = isTerminal(status) ? Math.min(readsLeft, READS_AFTER_END) : Infinity;
    },

    /** @returns new lines, at first the last lines; undefined if there are none. @throws the driver's error */
    async read(): Promise<LogAddition | undefined> {
      if (readsLeft === 0) return undefined;
      if (!recent) {
        const { lines, isLonger } = await reads.before(runId, undefined, RECENT);
        const [first, ...others] = lines;
        recent = isLonger && first ? { after: first, lines: others } : { lines };
        return recent;
      }
      const last = recent.lines.at(-1) ?? recent.after;
      const { lines } = await reads.after(runId, last, MAX_READ);
      if (lines.length === 0) {
        readsLeft--;
        return undefined;
      }
      recent = shortened({ ...recent, lines: [...recent.lines, ...lines] });
      return { after: last, lines };
    },
  };
}

export type LogTail = ReturnType<typeof createLogTail>;

/** Keeps the last lines only. */
function shortened({ after, lines }: LogAddition): LogAddition {
  const dropped = lines.length - RECENT.lines;
  return dropped <= 0 ? { after, lines } : { after: lines[dropped - 1]!, lines: lines.slice(dropped) };
}
