import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { networksOf } from '#src/domain/tokens/networks.js';
import { createListener, OPEN_LISTENER, type ListenerOptions } from '#src/server/http/listener.js';
import { eventually } from '#test/support/eventually.js';

describe('listener', () => {
  let server: Server;
  let sockets: Socket[];

  async function listen(options: Partial<ListenerOptions> = {}) {
    server = createListener({ ...OPEN_LISTENER, ...options });
    server.on('request', (_request, response) => response.end('ok'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  beforeEach(() => (sockets = []));
  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });

  function open(): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  }

  /** The first line of the response; empty without a response. */
  async function firstLine(head: string): Promise<string> {
    const socket = open();
    socket.end(head);
    return (await text(socket)).split('\r\n')[0]!;
  }

  const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';

  it('accepts headers of 15 KB, and rejects those over 16 KB with 431', async () => {
    await listen();
    expect(await firstLine(`${GET}A: ${'x'.repeat(15_000)}\r\n\r\n`)).to.equal('HTTP/1.1 200 OK');
    expect(await firstLine(`${GET}A: ${'x'.repeat(20_000)}\r\n\r\n`)).to.match(/^HTTP\/1.1 431 /);
  });

  const isServed = async () => (await firstLine(`${GET}\r\n`)) === 'HTTP/1.1 200 OK';

  /** Opens this number of connections, and waits until the server has them. */
  async function holdOpen(count: number): Promise<void> {
    const before = await connections();
    for (let n = 0; n < count; n++) await once(open(), 'connect');
    await eventually(async () => (await connections()) >= before + count || undefined);
  }
  const connections = () =>
    new Promise<number>((resolve, reject) => server.getConnections((error, n) => (error ? reject(error) : resolve(n))));

  it('closes excess connections of an address until others have closed', async () => {
    await listen({ connectionsPerAddress: 3 });
    await holdOpen(3);
    expect(await isServed()).to.equal(false);
    sockets[0]!.destroy();
    await eventually(async () => (await isServed()) || undefined);
  });

  it('does not limit connections of trusted proxies', async () => {
    await listen({ connectionsPerAddress: 3, trustedProxies: networksOf(['127.0.0.1']) });
    await holdOpen(4);
    expect(await isServed()).to.equal(true);
  });

  it('closes excess connections in total', async () => {
    await listen({ connections: 2 });
    await holdOpen(2);
    expect(await isServed()).to.equal(false);
  });
});
