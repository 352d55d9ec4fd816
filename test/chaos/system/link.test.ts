import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { startLink, type Link } from './link.js';

describe('link', () => {
  let server: Server;
  let link: Link;
  let received: string;
  const callers: Socket[] = [];

  beforeEach(async () => {
    received = '';
    // Echoes each line.
    server = createServer((socket) =>
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          received += bytes.toString();
          socket.write(`answer to ${bytes.toString()}`);
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    link = await startLink('near→far', (server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    callers.splice(0).forEach((socket) => socket.destroy());
    await link.close();
    server.close();
  });

  async function caller(port = link.port) {
    const socket = connect(port, '127.0.0.1');
    callers.push(socket);
    const heard = { text: '', ended: false };
    socket.on('error', () => {});
    socket.on('data', (bytes) => (heard.text += bytes.toString()));
    socket.on('close', () => (heard.ended = true));
    // A reset may come first.
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
    return { heard, say: (text: string) => socket.write(text) };
  }
  const hears = (heard: { text: string }, text: string) =>
    eventually(() => heard.text.includes(text) || undefined, 2000);
  const isCut = (heard: { ended: boolean }) => eventually(() => heard.ended || undefined, 2000);

  it('forwards both ways, and delayed on request', async () => {
    const { say, heard } = await caller();
    say('one');
    await hears(heard, 'answer to one');
    link.delay(150);
    const began = performance.now();
    say('two');
    await hears(heard, 'answer to two');
    expect(performance.now() - began).to.be.at.least(300);
    link.heal();
    say('three');
    await hears(heard, 'answer to three');
  });

  it('cuts open connections and refuses new ones, until it is healed', async () => {
    const { heard } = await caller();
    link.cut();
    await isCut(heard);
    await isCut((await caller()).heard);
    link.heal();
    const again = await caller();
    again.say('one');
    await hears(again.heard, 'answer to one');
  });

  it('holds everything back silently and delivers it late', async () => {
    const old = await caller();
    old.say('one');
    await hears(old.heard, 'answer to one');
    link.blackHole();
    const young = await caller();
    old.say('two');
    young.say('three');
    // Sent later, but directly, so it arrives earlier.
    const direct = await caller((server.address() as AddressInfo).port);
    direct.say('four');
    await hears(direct.heard, 'answer to four');
    expect(received).to.equal('onefour');
    expect([old.heard.ended, young.heard.ended]).to.deep.equal([false, false]);
    link.heal();
    await Promise.all([hears(old.heard, 'answer to two'), hears(young.heard, 'answer to three')]);
  });

  it('springs a trap on a request, which is not forwarded', async () => {
    const { say, heard } = await caller();
    let sprung = '';
    link.arm({ request: (bytes) => bytes.includes('insert') }, (bytes) => (sprung = bytes.toString()));
    say('find');
    await hears(heard, 'answer to find');
    say('insert');
    await eventually(() => sprung || undefined);
    expect(sprung).to.equal('insert');
    expect(received).to.equal('find');
  });

  it('springs a trap on the response to a request, on its connection only, once', async () => {
    const [one, other] = [await caller(), await caller()];
    const sprung: string[] = [];
    link.arm({ request: (bytes) => bytes.includes('insert'), answer: () => true }, (bytes, request) =>
      sprung.push(bytes.toString(), request.toString()),
    );
    other.say('find');
    await hears(other.heard, 'answer to find');
    one.say('insert');
    await eventually(() => sprung.length > 0 || undefined);
    expect(received).to.equal('findinsert');
    other.say('insert');
    await hears(other.heard, 'answer to insert');
    expect(sprung).to.deep.equal(['answer to insert', 'insert']);
    expect(one.heard.text).to.equal('');
  });

  it('does not spring when it was disarmed', async () => {
    const { say, heard } = await caller();
    const disarm = link.arm({ request: () => true }, () => expect.fail('it sprang'));
    disarm();
    say('insert');
    await hears(heard, 'answer to insert');
  });
});
