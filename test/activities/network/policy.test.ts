import { expect } from 'chai';
import { refusalOf } from '#activities/network/policy.js';

const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '169.253.0.1',
  '192.167.0.1',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

/** Refused under every policy. */
const METADATA = [
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '::ffff:a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::ffff:6464:64c8',
  '::169.254.169.254',
  '::ffff:0:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::100.100.100.200',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1:6464:64:c800::',
  '2002:a9fe:a9fe::1',
  '2002:6464:64c8::',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fd00:ec2::254',
];

describe('network policy', () => {
  const isRefused = refusalOf({ privateNetworks: 'refuse' });

  for (const address of PRIVATE) it(`refuses ${address}`, () => expect(isRefused(address)).to.equal(true));
  for (const address of PUBLIC) it(`allows ${address}`, () => expect(isRefused(address)).to.equal(false));

  describe('with private networks allowed', () => {
    const refused = refusalOf({ privateNetworks: 'allow' });

    it('allows everything but link-local addresses and metadata services, in every form', () => {
      expect(
        [...PRIVATE, ...PUBLIC].filter((address) => refused(address) !== METADATA.includes(address)),
      ).to.deep.equal([]);
      expect(METADATA.filter((address) => !refused(address))).to.deep.equal([]);
      for (const near of [
        '169.255.0.1',
        '100.100.100.201',
        '2002:a9ff::1',
        '64:ff9b::100.100.100.199',
        'fd00:ec2::253',
        '64:ff9b:1:a9ff::1',
        '64:ff9b:1:6464:64:c900::',
      ])
        expect(refused(near), near).to.equal(false);
    });

    it('allows listed addresses', () => {
      const listed = refusalOf({ privateNetworks: 'allow', allowed: ['169.254.7.0/24', 'fe80::1'] });
      expect(['169.254.7.1', '::ffff:169.254.7.1', 'fe80::1', '169.254.169.254', 'fe80::2'].map(listed)).to.deep.equal([
        false,
        false,
        false,
        true,
        true,
      ]);
    });
  });

  it('applies exceptions: allowed private addresses, and refused addresses of any kind', () => {
    const own = refusalOf({ privateNetworks: 'refuse', allowed: ['10.1.0.0/16'], refused: ['10.1.9.0/24', '8.8.8.8'] });
    expect(['10.1.2.3', '10.2.0.1', '10.1.9.1', '8.8.8.8', '1.1.1.1'].map(own)).to.deep.equal([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(refusalOf({ privateNetworks: 'allow', refused: ['10.0.0.0/8'] })('10.1.1.1')).to.equal(true);
  });
});
