import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './processes/child.js';
import type { Say } from './say.js';

export interface Service {
  name: string;
  /** Starts the process and waits until it is ready; the signal stops it in whatever state it is. */
  start(signal: AbortSignal): Promise<Child>;
}

export interface SuperviseOptions {
  /** Ends the service for good. */
  signal: AbortSignal;
  say: Say;
  /** It went down or is ready again. */
  onChange: () => void;
  /** Wait before the first new start, doubled at each that follows, in ms. */
  firstDelayMs?: number;
  maxDelayMs?: number;
  /** Having run so long it is healthy: the next new start waits the shortest time again, in ms. */
  healthyMs?: number;
}

/** A process that is started again whenever it ends. */
export interface Supervised {
  /** Undefined while it is down or getting ready. */
  current(): Child | undefined;
  /** Ends it and starts it again at once (its program has changed). */
  restart(): Promise<void>;
  /** Resolves after the signal, when the process has ended. */
  ended: Promise<void>;
}

/**
 * Starts a service and keeps it running, with growing waits between starts.
 * @throws what its first start throws
 */
export async function supervise(service: Service, options: SuperviseOptions): Promise<Supervised> {
  const { signal, say, onChange, firstDelayMs = 500, maxDelayMs = 15_000, healthyMs = 30_000 } = options;
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
        say(`${service.name} is running again (process ${started.pid}).`);
        // After the caller has noted the new child.
        setImmediate(onChange);
        return started;
      } catch (error) {
        if (!signal.aborted) await pause(`${service.name} failed to start: ${(error as Error).message}`);
      }
    }
    return undefined;
  }

  async function pause(why: string): Promise<void> {
    say(`${why}. Restarting in ${delayMs / 1000} s.`);
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
