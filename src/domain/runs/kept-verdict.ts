import type { AttemptVerdict } from './run.js';

/** A verdict that the database has not taken yet. */
export interface KeptVerdict {
  runId: string;
  attempt: number;
  delivery: number;
  verdict: AttemptVerdict;
  /** Another attempt follows. */
  again: boolean;
  /** When the run is over its retention, in ms since 1970: from then on nobody needs it. */
  until: number;
}

/** What of a verdict may go to another worker through Temporal: no text that a test has made. */
export function withoutTexts(kept: KeptVerdict): KeptVerdict {
  const { errorMessage: _message, notes: _notes, ...rest } = kept.verdict;
  return { ...kept, verdict: rest };
}

const LOST_REST =
  'The database was unavailable when this attempt ended, and its worker exited before it was available again. The last lines of the log and messages may be missing.';

/** As it is recorded by a worker that has not run the attempt. */
export function asLeftBehind({ verdict }: KeptVerdict): AttemptVerdict {
  return { ...verdict, notes: [...(verdict.notes ?? []), LOST_REST] };
}

/** Whether what Temporal has handed on is a verdict for this attempt. */
export function isKeptVerdict(value: unknown, runId: string, attempt: number): value is KeptVerdict {
  const kept = value as Partial<KeptVerdict> | null | undefined;
  return kept?.runId === runId && kept.attempt === attempt && typeof kept.verdict?.status === 'string';
}
