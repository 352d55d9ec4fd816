import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { refusalOf, type NetworkPolicy } from './policy.js';

/** A test wanted to reach an address that the worker's policy refuses: the verdict is `NETWORK_REFUSED`. */
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

/** Lets tests reach only what the worker's policy lets them reach. */
export interface NetworkGuard {
  /** More is refused than link-local addresses and metadata services: git may use only https. */
  isRestricted: boolean;
  /**
   * For a host that is an IP address, which no `lookup` is asked for.
   * @param host name or address, IPv6 with or without its brackets; a name passes: `lookup` looks at it
   * @throws NetworkRefusedError
   */
  checkHost(host: string): void;
  /**
   * Stands in for `dns.lookup` in net, tls, http and undici. What it answers is what is connected to, so a name cannot
   * mean something else a moment later. A name with one refused address among others is refused, whatever their order.
   */
  lookup: LookupFunction;
  /** For undici's `connect`: looks at addresses and names alike, at each new connection. */
  connector(options: buildConnector.BuildOptions): buildConnector.connector;
}

/** @param resolve looks a name up; the system's own in production */
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
      // undici hands lookup on to net.connect; its types do not know.
      const connect = buildConnector({ ...options, lookup } as buildConnector.BuildOptions);
      return (target, callback) => {
        try {
          checkHost(target.hostname);
        } catch (error) {
          return callback(error as Error, null);
        }
        connect(target, callback);
      };
    },
  };
}
