import { startGuardProxy, type GuardProxy } from './guard-proxy.js';
import type { NetworkGuard } from './network-guard.js';

/** A guard proxy for all who need one, started when the first does. */
export interface LazyProxy {
  /** Its address. @throws the system's error when it cannot be started */
  url(): Promise<string>;
  /** The system's code for why the last connection to an http or https address failed, such as ECONNREFUSED. */
  failureAt(address: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createLazyProxy(guard: NetworkGuard): LazyProxy {
  let started: Promise<GuardProxy> | undefined;
  return {
    async url() {
      return (await (started ??= startGuardProxy(guard))).url;
    },
    async failureAt(address) {
      return (await started)?.failureAt(address);
    },
    async close() {
      await (await started)?.close();
    },
  };
}
