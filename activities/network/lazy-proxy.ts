import { startGuardProxy, type GuardProxy } from './guard-proxy.js';
import type { NetworkGuard } from './guard.js';

/** A guard proxy for all who need one, started when the first does. */
export interface LazyProxy {
  /** Its address; undefined where every address may be reached. @throws the system's error when it cannot be started */
  url(): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createLazyProxy(guard: NetworkGuard): LazyProxy {
  let started: Promise<GuardProxy> | undefined;
  return {
    async url() {
      return guard.refusesSome ? (await (started ??= startGuardProxy(guard))).url : undefined;
    },
    async close() {
      await (await started)?.close();
    },
  };
}
