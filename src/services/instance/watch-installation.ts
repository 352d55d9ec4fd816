import type { InstallationStore } from '#src/db/instance/installation-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { retry } from '#src/lib/retry.js';
import type { InstallationTemporal } from '#src/temporal/connect.js';
import { WrongTemporalError } from '#src/temporal/identity.js';
import type { TemporalBinding } from './temporal-binding.js';

const LOOK_EVERY_MS = 10_000;
const END_LEGACY_EVERY_LOOKS = 6;
const RETRY_MS = 2000;

/** Waits until the database is bound to this Temporal and both answer. Each problem is logged once. */
export function untilBound(binding: TemporalBinding, log: Pick<Logger, 'warn'>): Promise<InstallationTemporal> {
  const failing = 'not accepting work yet; retrying';
  const outage = createOutageLog(log, { failing }, (error, last) => error.message !== last.message);
  return retry(() => binding.use(), { firstMs: RETRY_MS, onFailure: outage.failed });
}

export interface InstallationWatchDeps {
  binding: TemporalBinding;
  store: Pick<InstallationStore, 'endLegacyNames'>;
  /** The database is not bound to this Temporal any more, or this address leads to another one now. */
  onRefused(error: WrongTemporalError): void;
  /** Called once: nothing is left of a version without installation ids. */
  onLegacyNamesEnded(): void;
  log: Pick<Logger, 'debug'>;
}

/** Looks every 10 s at what a worker's polling depends on. A store that does not answer changes nothing. */
export function watchInstallation(deps: InstallationWatchDeps, hadLegacyNames: boolean): { stop(): void } {
  const { binding, store, onRefused, onLegacyNamesEnded, log } = deps;
  let hasLegacyNames = hadLegacyNames;
  let looks = 0;

  async function look(): Promise<void> {
    try {
      if (hasLegacyNames && looks++ % END_LEGACY_EVERY_LOOKS === 0) await store.endLegacyNames();
      const now = await binding.useChecked();
      if (hasLegacyNames && !now.hasLegacyNames) onLegacyNamesEnded();
      hasLegacyNames = now.hasLegacyNames;
    } catch (error) {
      if (error instanceof WrongTemporalError) onRefused(error);
      else log.debug({ err: error }, 'could not check the installation; retrying in 10 s');
    }
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
