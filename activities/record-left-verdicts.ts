import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import { asLeftBehind, type KeptVerdict } from '#src/domain/runs/kept-verdict.js';
import { retry } from '#src/lib/retry.js';
import { within } from '#src/lib/within.js';
import type { VerdictSpool } from './verdict-spool.js';
import { DATABASE_CALL_MS } from './keep-trying.js';

const RETRY_MS = 2000;

export interface LeftVerdictsDeps {
  verdicts: VerdictSpool;
  statuses: Pick<RunStatusStore, 'endAttempt'>;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  retryMs?: number;
}

/**
 * Records the verdicts that an earlier worker left on disk, however long the database is unavailable. Each is
 * fenced by its delivery, as if that worker had written it. Verdicts of unknown runs stay on disk: they may belong to
 * another database.
 * @param signal ends it
 */
export async function recordLeftVerdicts(deps: LeftVerdictsDeps, signal: AbortSignal): Promise<void> {
  const { verdicts, log, retryMs = RETRY_MS } = deps;
  const left = await verdicts.all();
  if (left.length > 0)
    log.info({ verdicts: left.length }, 'recording the verdicts that an earlier worker left on disk');
  for (const kept of left) {
    if (signal.aborted) return;
    await retry(() => recordOne(deps, kept), {
      firstMs: retryMs,
      signal,
      onFailure: (err) =>
        log.warn({ err, runId: kept.runId }, 'a verdict from an earlier worker could not be recorded; retrying'),
    });
  }
}

async function recordOne({ verdicts, statuses }: LeftVerdictsDeps, kept: KeptVerdict): Promise<void> {
  const write = statuses.endAttempt(kept.runId, kept, asLeftBehind(kept), kept.again);
  const { run } = await within(DATABASE_CALL_MS, 'The write', write);
  if (run) await verdicts.remove(kept);
}
