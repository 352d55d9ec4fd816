import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './processes/child.js';
import type { Log } from './log.js';

export interface Service {
  name: string;
  /** Starts the process and waits until it is ready; the signal stops it in any state. */
  start(signal: AbortSignal): Promise<Child>;
}

export interface SuperviseOptions {
  /** Stops the service. */
  signal: AbortSignal;
  log: Log;
  /** Called when the process has exited, and when it is ready again. */
  onChange: () => void;
  /** Backoff before the first restart, in ms; it doubles with each restart. */
  firstDelayMs?: number;
  maxDelayMs?: number;
  /** Running time after which the backoff is reset, in ms. */
  healthyMs?: number;
}

/** A process that is restarted when it exits. */
export interface Supervised {
  /** Undefined while it is not ready. */
  current(): Child | undefined;
  /** Restarts it without backoff. */
  restart(): Promise<void>;
  /** Resolves after the signal, when the process has ended. */
  ended: Promise<void>;
}

/**
 * Starts a service and restarts it when it exits, with backoff.
 * @throws the error of the first start
 */
export async function supervise(service: Service, options: SuperviseOptions): Promise<Supervised> {
  const { signal, log, onChange, firstDelayMs = 500, maxDelayMs = 15_000, healthyMs = 30_000 } = options;
  let restarting = false;
  let delayMs = firstDelayMs;
  let child: Child | undefined = await service.start(signal);

  async function keepRunning(): Promise<void> {
    while (child) {
      const since = Date.now();
      const how = await child.exited;
      child = undefined;
      if (signal.aborted) return;
      onChange();
      if (Date.now() - since > healthyMs) delayMs = firstDelayMs;
      if (!restarting) await pause(`${service.name} exited (${how})`);
      restarting = false;
      child = await startAgain();
    }
  }

  async function startAgain(): Promise<Child | undefined> {
    while (!signal.aborted) {
      try {
        const started = await service.start(signal);
        log(`${service.name} is running again (process ${started.pid}).`);
        // After `keepRunning` has set the new child.
        setImmediate(onChange);
        return started;
      } catch (error) {
        if (!signal.aborted) await pause(`${service.name} failed to start: ${(error as Error).message}`);
      }
    }
    return undefined;
  }

  async function pause(why: string): Promise<void> {
    log(`${why}. Restarting in ${delayMs / 1000} s.`);
    const waitMs = delayMs;
    delayMs = Math.min(2 * delayMs, maxDelayMs);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }

  return {
    current: () => child,
    restart: async () => {
      restarting = true;
      await child?.stop();
    },
    ended: keepRunning(),
  };
}
