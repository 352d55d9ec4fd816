import { request } from 'node:http';

/*
 * Entry point of a process that connects its stdin and stdout to a host through the guard proxy. ssh (ProxyCommand) and
 * git (GIT_PROXY_COMMAND) start it instead of opening a connection themselves.
 */

const [proxy = '', host = '', port = ''] = process.argv.slice(2);
const plainHost = host.replace(/^\[(.*)\]$/, '$1');
const target = `${plainHost.includes(':') ? `[${plainHost}]` : plainHost}:${port}`;

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

const connecting = request(proxy, { method: 'CONNECT', path: target, agent: false });
connecting.once('error', (error) => fail(error.message));
connecting.once('connect', ({ statusCode }, socket, head) => {
  if (statusCode !== 200) {
    const chunks: Buffer[] = [head];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('close', () => fail(Buffer.concat(chunks).toString()));
    return;
  }
  process.stdout.write(head);
  socket.once('error', (error) => fail(error.message));
  socket.once('close', () => process.stdin.destroy());
  socket.pipe(process.stdout);
  process.stdin.pipe(socket);
});
connecting.end();
