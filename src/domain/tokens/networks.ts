import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** A set of networks, given as addresses and CIDR blocks. */
export interface Networks {
  contains(address: string): boolean;
}

/** Whether a text is an IP address, or a network in CIDR notation such as 10.0.0.0/8 or 2001:db8::/32. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined;
  if (bits === undefined || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/** @param list addresses and CIDR blocks, each checked by `isNetwork` */
export function networksOf(list: readonly string[]): Networks {
  const blocks = new BlockList();
  for (const one of list) {
    const [address = '', prefix] = one.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(prefix), family);
  }
  return {
    contains(address) {
      const plain = plainAddress(address);
      return isIP(plain) !== 0 && blocks.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
    },
  };
}

/** The canonical form of an address: without IPv4-mapped IPv6 and without a zone. */
export function plainAddress(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/**
 * The client's address. X-Forwarded-For is read from the right, as long as trusted proxies have added the entries.
 * @param peer address of the connection
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: Networks): string {
  let client = plainAddress(peer);
  const hops = forwardedFor?.split(',') ?? [];
  while (hops.length > 0 && trusted.contains(client)) {
    const hop = withoutPort(hops.pop()!.trim());
    if (isIP(hop) === 0) break;
    client = plainAddress(hop);
  }
  return client;
}

/** Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}
