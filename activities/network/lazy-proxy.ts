import { startGuardProxy, type GuardProxy } from './guard-proxy.js';
import type { NetworkGuard } from './network-guard.js';

/** A shared guard proxy, started on first use. */
export interface LazyProxy {
  /** The proxy's URL. @throws the system's error when it cannot be started */
  url(): Promise<string>;
  /** See GuardProxy; undefined while the proxy is not started. */
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
