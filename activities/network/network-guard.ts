import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { refusalOf, type NetworkPolicy } from './policy.js';

/** A test tried to reach an address that the worker's policy refuses. The verdict is `NETWORK_REFUSED`. */
export class NetworkRefusedError extends Error {
  override name = 'NetworkRefusedError';
  readonly code = 'NETWORK_REFUSED';
  constructor(
    readonly host: string,
    readonly address: string,
  ) {
    const place = host === address ? address : `${host} (${address})`;
    super(
      `${place} is not allowed as a destination: this worker blocks link-local addresses and metadata services, and private networks if it is configured to. ` +
        'Use a public address, or ask the operator of the worker to allow this one (RUNHOOK_PRIVATE_NETWORKS, RUNHOOK_ALLOWED_NETWORKS).',
    );
  }
}

/** Limits the network access of tests to what the worker's policy allows. */
export interface NetworkGuard {
  /** The policy refuses more than link-local addresses and metadata services. git may then use only https. */
  isRestricted: boolean;
  /**
   * Checks hosts that are IP addresses, which are never passed to `lookup`.
   * @param host name or IP address, IPv6 with or without brackets. Names pass; `lookup` checks them.
   * @throws NetworkRefusedError
   */
  checkHost(host: string): void;
  /**
   * Replaces `dns.lookup` in net, tls, http and undici. The connection uses exactly the addresses that were checked,
   * which prevents DNS rebinding. A name is refused if any of its addresses is refused.
   */
  lookup: LookupFunction;
  /** For undici's `connect`: checks addresses and names of every new connection. */
  connector(options: buildConnector.BuildOptions): GuardedConnector;
}

/** @returns the connecting socket; undefined if the destination is refused */
export type GuardedConnector = (...args: Parameters<buildConnector.connector>) => Socket | undefined;

/** @param resolve resolves a name; the system's resolver in production */
export function createNetworkGuard(policy: NetworkPolicy, resolve: typeof systemLookup = systemLookup): NetworkGuard {
  const isRefused = refusalOf(policy);
  const isRestricted = policy.privateNetworks === 'refuse' || (policy.refused ?? []).length > 0;

  function checkHost(host: string): void {
    const address = host.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && isRefused(address)) throw new NetworkRefusedError(address, address);
  }

  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, []);
      const refused = found.find(({ address }) => isRefused(address));
      if (refused) return callback(new NetworkRefusedError(host, refused.address), []);
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };

  return {
    isRestricted,
    checkHost,
    lookup,
    connector(options) {
      // undici passes `lookup` to net.connect, and returns the socket; its types omit both.
      const connect = buildConnector({ ...options, lookup } as buildConnector.BuildOptions) as GuardedConnector;
      return (target, callback) => {
        try {
          checkHost(target.hostname);
        } catch (error) {
          callback(error as Error, null);
          return undefined;
        }
        return connect(target, callback);
      };
    },
  };
}
