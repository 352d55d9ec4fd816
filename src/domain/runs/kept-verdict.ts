import type { AttemptVerdict } from './run.js';

/** A verdict that is not written to the database yet. */
export interface KeptVerdict {
  runId: string;
  attempt: number;
  delivery: number;
  verdict: AttemptVerdict;
  /** Another attempt follows. */
  again: boolean;
  /** End of the run's retention, in Unix ms: the verdict is then dropped. */
  until: number;
}

/** The verdict without texts written by the test, which must not be stored in Temporal. */
export function withoutTexts(kept: KeptVerdict): KeptVerdict {
  const { errorMessage: _message, notes: _notes, ...rest } = kept.verdict;
  return { ...kept, verdict: rest };
}

const LOST_REST =
  'The database was unavailable when this attempt ended, and its worker exited before it was available again. The last lines of the log and messages may be missing.';

/** The verdict as recorded by a worker that did not run the attempt. */
export function asLeftBehind({ verdict }: KeptVerdict): AttemptVerdict {
  return { ...verdict, notes: [...(verdict.notes ?? []), LOST_REST] };
}

/** Whether a value from Temporal is a verdict for this attempt. */
export function isKeptVerdict(value: unknown, runId: string, attempt: number): value is KeptVerdict {
  const kept = value as Partial<KeptVerdict> | null | undefined;
  return kept?.runId === runId && kept.attempt === attempt && typeof kept.verdict?.status === 'string';
}
