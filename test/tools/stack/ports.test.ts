import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { freePort } from '#tools/stack/ports.js';

async function listen(host: string, port = 0): Promise<net.Server> {
  const server = net.createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}
const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port;

describe('freePort', () => {
  it('returns the preferred port when it is free', async () => {
    const server = await listen('127.0.0.1');
    const port = portOf(server);
    server.close();
    await once(server, 'close');
    expect(await freePort(port)).to.equal(port);
  });

  for (const host of ['127.0.0.1', '0.0.0.0']) {
    it(`skips a port that is in use on ${host}`, async () => {
      const server = await listen(host);
      try {
        expect(await freePort(portOf(server))).to.be.above(portOf(server));
      } finally {
        server.close();
      }
    });
  }

  it('returns no port in the range of outgoing connections, which could take it during a restart', async function () {
    if (process.platform !== 'linux') this.skip();
    const [lowest] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')).split(/\s+/).map(Number);
    for (let port = 0; port < 20; port++) expect(await freePort()).to.be.below(lowest!);
  });

  it('returns no port twice, even before it is in use', async () => {
    const first = await freePort();
    expect(await freePort(first)).to.be.above(first);
  });

  it('reports when there is none', async () => {
    const error = await freePort(65_536).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('No free port found from 65536');
  });
});
