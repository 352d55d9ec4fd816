import { expect } from 'chai';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import { startGuardProxy, type GuardProxy } from '#activities/network/guard-proxy.js';

describe('startGuardProxy', () => {
  let server: Server;
  let inside: string;
  let refusing: GuardProxy;
  let allowing: GuardProxy;
  const refusals: string[] = [];

  before(async () => {
    server = createServer(async (incoming, answer) => {
      answer.setHeader('x-got', JSON.stringify(incoming.headers));
      answer.end(`${incoming.method} ${incoming.url} ${await text(incoming)}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    inside = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    refusing = await startGuardProxy(createNetworkGuard({ privateNetworks: 'refuse' }), ({ host }) => {
      refusals.push(host);
    });
    allowing = await startGuardProxy(createNetworkGuard({ privateNetworks: 'refuse', allowed: ['127.0.0.1'] }));
  });
  after(async () => {
    await Promise.all([refusing.close(), allowing.close()]);
    server.close();
  });

  const portOf = ({ url }: GuardProxy) => Number(new URL(url).port);

  /** A plain request through the proxy. */
  const ask = (proxy: GuardProxy, path: string, method = 'GET', body = '') =>
    new Promise<{ status: number; body: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
      const headers = { 'proxy-authorization': 'Basic x', connection: 'close, x-hop', 'x-hop': '1', 'x-end': '2' };
      request({ port: portOf(proxy), path, method, headers }, async (answer) => {
        resolve({ status: answer.statusCode!, body: await text(answer), headers: answer.headers });
      })
        .on('error', reject)
        .end(body);
    });

  /** A tunnel through the proxy: its first response, and the socket. */
  const tunnel = (proxy: GuardProxy, target: string) =>
    new Promise<[answer: string, socket: Socket]>((resolve, reject) => {
      const socket = connect(portOf(proxy), '127.0.0.1').on('error', reject);
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
      socket.once('data', (data) => resolve([data.toString(), socket]));
    });

  it('forwards plain requests without hop-by-hop headers', async () => {
    const answer = await ask(allowing, `http://${inside}/a?b=c`, 'POST', 'hello');
    expect(answer).to.include({ status: 200, body: 'POST /a?b=c hello' });
    const got = JSON.parse(answer.headers['x-got'] as string) as object;
    expect(got).to.include({ 'x-end': '2', host: inside });
    expect(got).not.to.have.any.keys('proxy-authorization', 'x-hop');
  });

  it('opens tunnels', async () => {
    const [answer, socket] = await tunnel(allowing, inside);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    socket.end('GET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).to.contain('GET /through ');
  });

  it('refuses requests and tunnels to refused addresses in any notation, and reports them', async () => {
    const port = inside.split(':')[1]!;
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254']) {
      refusals.length = 0;
      const plain = await ask(refusing, `http://${host}:${port}/`);
      expect(plain, host).to.have.property('status', 403);
      expect(plain.body).to.match(/is not allowed as a destination/);
      const [answer, socket] = await tunnel(refusing, `${host}:${port}`);
      expect(answer, host).to.match(/^HTTP\/1.1 403 [^]*is not allowed as a destination/);
      expect(refusals).to.have.length(2);
      socket.destroy();
    }
  });

  it('reports unreachable and invalid targets, and continues', async () => {
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const { port } = dead.address() as AddressInfo;
    await new Promise((resolve) => dead.close(resolve));
    const error = await ask(allowing, `http://127.0.0.1:${port}/`).catch((thrown: NodeJS.ErrnoException) => thrown);
    expect(error).to.have.property('code', 'ECONNRESET');
    expect(allowing.failureAt(`http://127.0.0.1:${port}/a`)).to.equal('ECONNREFUSED');
    expect(allowing.failureAt('http://127.0.0.1/a')).to.equal(undefined);
    for (const path of ['/no-proxy-request', 'ftp://127.0.0.1/'])
      expect(await ask(allowing, path), path).to.have.property('status', 502);
    for (const target of [`127.0.0.1:${port}`, 'no target', '127.0.0.1:99999']) {
      const [answer, socket] = await tunnel(allowing, target);
      expect(answer, target).to.match(/^HTTP\/1.1 (400|502) /);
      socket.destroy();
    }
    expect(await ask(allowing, `http://${inside}/still`)).to.have.property('status', 200);
  });

  it('closes open tunnels when it is closed', async () => {
    const proxy = await startGuardProxy(createNetworkGuard({ privateNetworks: 'allow' }));
    const [, socket] = await tunnel(proxy, inside);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await proxy.close();
    await ended;
  });
});
