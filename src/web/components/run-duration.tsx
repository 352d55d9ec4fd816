import type { RunBase } from '../../domain/run.js';
import { isTerminal } from '../../domain/run-status.js';
import { formatDuration } from '../format.js';

export interface RunDurationProps {
  run: Pick<RunBase, 'status' | 'startedAt' | 'endedAt'>;
  now: Date;
}

/** How long a run took, or has taken so far: then it goes on counting (app.js). */
export function RunDuration({ run: { status, startedAt, endedAt }, now }: RunDurationProps) {
  if (!startedAt) return <>–</>;
  if (endedAt || isTerminal(status)) return <>{formatDuration(startedAt, endedAt ?? now)}</>;
  return <span data-since={startedAt.toISOString()}>{formatDuration(startedAt, now)}</span>;
}
