import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { NetworkRefusedError, type NetworkGuard } from './network-guard.js';

const CONNECT_MS = 30_000;
/** Connection failures to remember. */
const MAX_FAILURES = 1000;
/** Headers of a single connection, which a proxy must not forward. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export interface GuardProxy {
  /** URL for a browser, such as `http://127.0.0.1:4711`. */
  url: string;
  /** The system's error code of the last failed connection to an http or https address, such as ECONNREFUSED. */
  failureAt(address: string): string | undefined;
  /** Ends all its connections. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP and CONNECT proxy on 127.0.0.1 that only connects to destinations that the guard allows; it resolves
 * each name exactly once. Refused requests get a 403 with the reason. If no connection can be established, the client's
 * connection is closed, so that a page sees a failed request, as without a proxy.
 * @param onRefused called for each refusal
 */
export async function startGuardProxy(
  guard: NetworkGuard,
  onRefused: (error: NetworkRefusedError) => void = () => {},
): Promise<GuardProxy> {
  const open = new Set<Duplex>();
  const failures = new Map<string, string>();
  const noteFailure = (address: string, { code }: NodeJS.ErrnoException) => {
    if (failures.size >= MAX_FAILURES) failures.clear();
    if (code !== undefined) failures.set(address, code);
  };
  const track = <T extends Duplex>(socket: T): T => {
    open.add(socket);
    return socket.once('close', () => open.delete(socket));
  };
  const answerTo = (error: Error): [status: number, text: string] => {
    if (!(error instanceof NetworkRefusedError)) return [502, `The proxy could not connect: ${error.message}`];
    onRefused(error);
    return [403, error.message];
  };

  const server = createServer((incoming, answer) => {
    try {
      forward(guard, incoming, answer, (error) => {
        if (error instanceof NetworkRefusedError) return refuse(answer, ...answerTo(error));
        noteFailure(hostAndPort(incoming.url ?? ''), error);
        answer.destroy();
      });
    } catch (error) {
      refuse(answer, ...answerTo(error as Error));
    }
  });
  server.on('connection', track);
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    // A client may disconnect at any time.
    client.on('error', () => {});
    const fail = (error: Error) => {
      noteFailure(hostAndPort(`http://${incoming.url}`), error);
      const [status, text] = answerTo(error);
      client.end(
        `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}\r\nConnection: close\r\n\r\n${text}`,
      );
    };
    try {
      tunnel(track(openTunnel(guard, incoming.url ?? '')), client, head, fail);
    } catch (error) {
      fail(error as Error);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failureAt: (address) => failures.get(hostAndPort(address)),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** @throws NetworkRefusedError, TypeError when the target is invalid */
function openTunnel(guard: NetworkGuard, target: string): Socket {
  // Parsed as a URL to normalize addresses such as 0x7f.1.
  const { hostname, port } = new URL(`http://${target}`);
  guard.checkHost(hostname);
  return connect({ host: hostOf(hostname), port: Number(port || 80), lookup: guard.lookup, timeout: CONNECT_MS });
}

/**
 * Host to connect to: IPv6 without brackets. Names below localhost mean this machine; not every resolver knows that.
 */
function hostOf(hostname: string): string {
  return /\.localhost\.?$/i.test(hostname) ? 'localhost' : hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Host and port of a URL; empty if it is invalid. */
function hostAndPort(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function tunnel(upstream: Socket, client: Duplex, head: Buffer, fail: (error: Error) => void): void {
  upstream.once('timeout', () => upstream.destroy(new Error(`no connection within ${CONNECT_MS / 1000} s`)));
  upstream.once('error', fail);
  client.once('close', () => upstream.destroy());
  upstream.once('connect', () => {
    upstream.setTimeout(0);
    upstream.off('error', fail).on('error', () => client.destroy());
    upstream.once('close', () => client.destroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
}

/** @throws NetworkRefusedError, TypeError when its URL is invalid */
function forward(
  guard: NetworkGuard,
  incoming: IncomingMessage,
  answer: ServerResponse,
  fail: (error: Error) => void,
): void {
  const { protocol, host, hostname, port, pathname, search } = new URL(incoming.url ?? '');
  if (protocol !== 'http:') throw new TypeError('only http: URLs can be requested without CONNECT');
  guard.checkHost(hostname);
  const upstream = request({
    host: hostOf(hostname),
    port: port || 80,
    path: pathname + search,
    method: incoming.method,
    headers: { ...endToEnd(incoming.headers), host },
    lookup: guard.lookup,
    timeout: CONNECT_MS,
    agent: false,
  });
  upstream.once('timeout', () => upstream.destroy(new Error(`no response within ${CONNECT_MS / 1000} s`)));
  upstream.once('error', fail);
  upstream.once('response', (response) => {
    answer.writeHead(response.statusCode!, endToEnd(response.headers));
    response.once('error', () => answer.destroy());
    response.pipe(answer);
  });
  answer.once('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const own = new Set([
    ...HOP_BY_HOP,
    ...(headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  ]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)));
}

function refuse(answer: ServerResponse, status: number, text: string): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`);
}
