import { expect } from 'chai';
import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { createNetworkGuard, type NetworkGuard, type NetworkRefusedError } from '#activities/network/network-guard.js';

type Resolve = Parameters<typeof createNetworkGuard>[1];

/** A resolver that returns the next of these addresses each time. */
function names(...answers: string[][]): { resolve: Resolve; asked: () => number } {
  let asked = 0;
  const resolve = (_host: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) => {
    const found = answers[Math.min(asked++, answers.length - 1)]!;
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve: resolve as unknown as Resolve, asked: () => asked };
}

const lookUp = (guard: NetworkGuard, host = 'shop.example') =>
  new Promise<unknown>((resolve, reject) =>
    guard.lookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );
const errorOf = async (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('it was not refused'),
    (error: Error) => error,
  );

describe('createNetworkGuard', () => {
  const refusing = createNetworkGuard({ privateNetworks: 'refuse' });
  let server: Server;
  let port: number;

  before(async () => {
    server = createServer((_request, answer) => answer.end('inside'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  it('refuses hosts that are refused addresses in any notation, and leaves names to the lookup', () => {
    for (const text of ['127.0.0.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]'])
      expect(() => refusing.checkHost(new URL(`http://${text}/`).hostname), text).to.throw(
        /is not allowed as a destination.*RUNHOOK_PRIVATE_NETWORKS/,
      );
    expect(() => refusing.checkHost('shop.example')).not.to.throw();
    expect(() => refusing.checkHost('8.8.8.8')).not.to.throw();
  });

  it('refuses a name if any of its addresses is refused', async () => {
    const of = (...found: string[]) => createNetworkGuard({ privateNetworks: 'refuse' }, names(found).resolve);
    expect(await lookUp(of('8.8.8.8', '2606::1'))).to.have.length(2);
    const error = (await errorOf(lookUp(of('8.8.8.8', '10.0.0.1')))) as NetworkRefusedError;
    expect(error).to.include({ name: 'NetworkRefusedError', host: 'shop.example', address: '10.0.0.1' });
    expect(error.message).to.contain('shop.example (10.0.0.1)');
    expect(await errorOf(lookUp(refusing, 'localhost'))).to.include({ name: 'NetworkRefusedError' });
  });

  it("passes on the system's error for an unknown name", async () => {
    expect(await errorOf(lookUp(refusing, 'nowhere.invalid')))
      .to.have.property('code')
      .that.matches(/ENOTFOUND|EAI/);
  });

  describe('with undici', () => {
    const answerOf = async (guard: NetworkGuard, url: string) => {
      const dispatcher = new Agent({ connect: guard.connector({}) });
      try {
        return await (await request(url, { dispatcher })).body.text();
      } finally {
        await dispatcher.destroy();
      }
    };
    const allowing = createNetworkGuard({ privateNetworks: 'allow' });

    it('connects to allowed addresses', async () => {
      expect(await answerOf(allowing, `http://127.0.0.1:${port}`)).to.equal('inside');
      expect(await answerOf(allowing, `http://localhost:${port}`)).to.equal('inside');
    });

    it('does not connect to refused addresses', async () => {
      for (const host of ['127.0.0.1', '[::1]', '0x7f000001', 'localhost'])
        expect(await errorOf(answerOf(refusing, `http://${host}:${port}`)), host).to.include({
          name: 'NetworkRefusedError',
        });
    });

    it('resolves a name once, and connects to the checked address', async () => {
      // The first result is checked and used; a second lookup would be allowed.
      const { resolve, asked } = names(['127.0.0.1'], ['10.0.0.1']);
      const guard = createNetworkGuard({ privateNetworks: 'refuse', allowed: ['127.0.0.1'] }, resolve);
      expect(await answerOf(guard, `http://rebinding.example:${port}`)).to.equal('inside');
      expect(asked()).to.equal(1);
      // The next connection is checked again.
      expect(await errorOf(answerOf(guard, `http://rebinding.example:${port}`))).to.include({ address: '10.0.0.1' });
    });
  });
});
