import type { InstallationStore } from '#src/db/instance/installation-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { retry } from '#src/lib/retry.js';
import type { InstallationTemporal } from '#src/temporal/connect.js';
import { WrongTemporalError } from '#src/temporal/identity.js';
import type { TemporalBinding } from './temporal-binding.js';

const CHECK_EVERY_MS = 10_000;
const END_LEGACY_EVERY_CHECKS = 6;
const RETRY_MS = 2000;

/** Waits until both stores respond and the database is bound to this Temporal. Each problem is logged once. */
export function untilBound(binding: TemporalBinding, log: Pick<Logger, 'warn'>): Promise<InstallationTemporal> {
  const failing = 'not accepting work yet; retrying';
  const outage = createOutageLog(log, { failing }, (error, last) => error.message !== last.message);
  return retry(() => binding.use(), { firstMs: RETRY_MS, onFailure: outage.failed });
}

export interface InstallationWatchDeps {
  binding: TemporalBinding;
  store: Pick<InstallationStore, 'endLegacyNames'>;
  /** The database was bound to another Temporal, or the address now leads to another one. */
  onRefused(error: WrongTemporalError): void;
  /** Called once, when nothing remains of versions without installation IDs. */
  onLegacyNamesEnded(): void;
  log: Pick<Logger, 'debug'>;
}

/** Checks every 10 s that a worker may poll this Temporal. An unavailable store has no effect. */
export function watchInstallation(deps: InstallationWatchDeps, hadLegacyNames: boolean): { stop(): void } {
  const { binding, store, onRefused, onLegacyNamesEnded, log } = deps;
  let hasLegacyNames = hadLegacyNames;
  let checks = 0;

  async function check(): Promise<void> {
    try {
      if (hasLegacyNames && checks++ % END_LEGACY_EVERY_CHECKS === 0) await store.endLegacyNames();
      const now = await binding.useChecked();
      if (hasLegacyNames && !now.hasLegacyNames) onLegacyNamesEnded();
      hasLegacyNames = now.hasLegacyNames;
    } catch (error) {
      if (error instanceof WrongTemporalError) onRefused(error);
      else log.debug({ err: error }, 'could not check the installation; retrying in 10 s');
    }
  }

  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
