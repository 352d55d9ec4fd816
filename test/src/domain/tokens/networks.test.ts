import { expect } from 'chai';
import { clientAddress, isNetwork, networksOf } from '#src/domain/tokens/networks.js';

describe('networks', () => {
  it('are addresses and CIDR blocks, and nothing else', () => {
    for (const good of ['192.0.2.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::/0'])
      expect(isNetwork(good), good).to.equal(true);
    for (const bad of [
      '',
      'x',
      '10.0.0.0/33',
      '10.0.0/8',
      '::/129',
      '1.2.3.4/',
      '1.2.3.4/8/8',
      '1.2.3.4/-1',
      'fe80::1%eth0',
    ])
      expect(isNetwork(bad), bad).to.equal(false);
  });

  it('contain addresses of both families, including IPv4-mapped IPv6', () => {
    const networks = networksOf(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
    for (const inside of ['10.255.0.1', '2001:db8:1::1', '192.0.2.7', '::ffff:10.1.2.3'])
      expect(networks.contains(inside), inside).to.equal(true);
    for (const outside of ['11.0.0.1', '2001:db9::1', '192.0.2.8', '::ffff:11.1.2.3', '', 'x'])
      expect(networks.contains(outside), outside).to.equal(false);
    expect(networksOf([]).contains('10.0.0.1')).to.equal(false);
  });
});

describe('the address of a caller', () => {
  const trusted = networksOf(['10.0.0.0/8', '::1']);
  const cases: [peer: string, header: string | undefined, address: string, why: string][] = [
    ['192.0.2.1', undefined, '192.0.2.1', 'no proxy'],
    ['192.0.2.1', '198.51.100.1', '192.0.2.1', 'a forged header without a trusted proxy'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1', 'IPv4 on a socket of both families'],
    ['10.0.0.1', '192.0.2.1', '192.0.2.1', 'one proxy'],
    ['10.0.0.1', '198.51.100.1, 192.0.2.1', '192.0.2.1', 'entries before those of trusted proxies are ignored'],
    ['10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1', 'two proxies'],
    ['::1', '192.0.2.1:4711', '192.0.2.1', 'with a port'],
    ['::1', '[2001:db8::1]:4711', '2001:db8::1', 'IPv6 with a port'],
    ['10.0.0.1', 'unknown', '10.0.0.1', 'invalid entry: the proxy itself'],
    ['10.0.0.1', '', '10.0.0.1', 'empty'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3', 'from the internal network'],
  ];
  for (const [peer, header, address, why] of cases)
    it(`${address}: ${why}`, () => expect(clientAddress(peer, header, trusted)).to.equal(address));
});
