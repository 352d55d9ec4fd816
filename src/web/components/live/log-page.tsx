import type { LogLine } from '#src/domain/runs/log-line.js';
import { LogLines } from './log-lines.js';

interface LogPageProps {
  lines: readonly LogLine[];
  hasEarlier: boolean;
  hasLater: boolean;
  /** The line before them, if known. */
  after?: Pick<LogLine, 'attempt' | 'delivery'> | undefined;
}

/** Lines that an open page has asked for. */
export function LogPage({ lines, hasEarlier, hasLater, after }: LogPageProps) {
  return (
    <ol data-has-earlier={hasEarlier} data-has-later={hasLater}>
      <LogLines lines={lines} after={after} />
    </ol>
  );
}
