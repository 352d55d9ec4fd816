import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStatusStore } from '../src/db/run-status.js';
import { asLeftBehind, type KeptVerdict } from '../src/domain/kept-verdict.js';
import type { VerdictSpool } from './verdict-spool.js';
import { DATABASE_CALL_MS, within } from './within.js';

const RETRY_MS = 2000;

export interface LeftVerdictsDeps {
  verdicts: VerdictSpool;
  statuses: Pick<RunStatusStore, 'endAttempt'>;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  retryMs?: number;
}

/**
 * Records the verdicts that a worker before this one has left on the disk, however long the database is away. Each is
 * fenced by its delivery as if that worker had written it. One of a run that this database does not know stays: it may be
 * another's.
 * @param signal ends it
 */
export async function recordLeftVerdicts(deps: LeftVerdictsDeps, signal: AbortSignal): Promise<void> {
  const { verdicts, log, retryMs = RETRY_MS } = deps;
  const left = await verdicts.all();
  if (left.length > 0)
    log.info({ verdicts: left.length }, 'a worker before this one has left verdicts; recording them');
  for (const kept of left) {
    while (!signal.aborted) {
      try {
        await recordOne(deps, kept);
        break;
      } catch (error) {
        log.warn({ err: error, runId: kept.runId }, 'a verdict that was left could not be recorded; trying again');
        await sleep(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}

async function recordOne({ verdicts, statuses }: LeftVerdictsDeps, kept: KeptVerdict): Promise<void> {
  const write = statuses.endAttempt(kept.runId, kept, asLeftBehind(kept), kept.again);
  const { run } = await within(DATABASE_CALL_MS, 'The write', write);
  if (run) await verdicts.remove(kept);
}
