import { networksOf } from '#src/domain/tokens/networks.js';

/** Which addresses tests may reach. */
export interface NetworkPolicy {
  /**
   * Whether loopback, private and other special addresses may be reached; link-local ones and metadata services never.
   */
  privateNetworks: 'allow' | 'refuse';
  /** Addresses and CIDR blocks to allow although they are private or link-local. */
  allowed?: readonly string[];
  /** Addresses and CIDR blocks to refuse always. */
  refused?: readonly string[];
}

/** Metadata services of clouds serve credentials of the machine; no test needs them. */
const METADATA_IPV4 = [
  '169.254.0.0/16', // link-local: most clouds
  '100.100.100.200/32', // Alibaba Cloud
];
const METADATA_IPV6 = [
  'fe80::/10', // link-local
  'fd00:ec2::254', // Amazon
];

/** Everything that is not the public internet (IANA's special-purpose registries). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];
const SPECIAL_IPV6 = [
  '::/96', // unspecified, loopback, IPv4-compatible
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b:1::/48', // local NAT64
  '100::/64', // discard
  '2001::/23', // Teredo and other protocols
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds any IPv4 address
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
];

/** The NAT64 form of an IPv4 network, which hosts behind NAT64 use for all IPv4 addresses. */
function behindNat64(network: string): string {
  const [address, bits] = network.split('/');
  return `64:ff9b::${address}/${96 + Number(bits)}`;
}

/** The IPv6 forms of an IPv4 network, except IPv4-mapped ones (`::ffff:…`), which BlockList handles itself. */
function formsOf(network: string): string[] {
  const [address = '', bits] = network.split('/');
  const [a = '', b = '', c = '', d = ''] = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  const ending = (prefix: string) => `${prefix}${address}/${96 + Number(bits)}`;
  const rest = Number(bits) > 16 ? [`00${c}`, `${d}00`] : [];
  return [
    behindNat64(network),
    // 6to4: in the second and third group.
    `2002:${a}${b}:${c}${d}::/${16 + Number(bits)}`,
    // IPv4-compatible, IPv4-translated, and NAT64 with a local prefix of 96 and of 48 bits (RFC 6052).
    ending('::'),
    ending('::ffff:0:'),
    ending('64:ff9b:1::'),
    `64:ff9b:1:${a}${b}:${rest.length > 0 ? `${rest.join(':')}::/88` : ':/64'}`,
  ];
}

/**
 * @returns a function that returns whether connections to an IP address are refused; invalid addresses are refused too
 */
export function refusalOf({
  privateNetworks,
  allowed = [],
  refused = [],
}: NetworkPolicy): (address: string) => boolean {
  const special = networksOf([
    ...METADATA_IPV4,
    ...METADATA_IPV4.flatMap(formsOf),
    ...METADATA_IPV6,
    ...(privateNetworks === 'refuse' ? [...SPECIAL_IPV4, ...SPECIAL_IPV4.map(behindNat64), ...SPECIAL_IPV6] : []),
  ]);
  const [alwaysRefused, exempt] = [networksOf(refused), networksOf(allowed)];
  return (address) => alwaysRefused.contains(address) || (special.contains(address) && !exempt.contains(address));
}
