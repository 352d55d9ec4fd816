import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { networksOf, plainAddress, type Networks } from '#src/domain/tokens/networks.js';

const MAX_HEADER_BYTES = 16 * 1024;

export interface ListenerOptions {
  /** Open at the same time at most: more are closed at once. */
  connections: number;
  connectionsPerAddress: number;
  /** Many callers share their connections: their addresses are not limited. */
  trustedProxies: Networks;
}

/** Of a server that is alone with its caller (tests). */
export const OPEN_LISTENER: ListenerOptions = {
  connections: Infinity,
  connectionsPerAddress: Infinity,
  trustedProxies: networksOf([]),
};

/** The HTTP listener with its limits (times in ms): slow headers and bodies are cut, large headers and crowds refused. */
export function createListener(options: ListenerOptions): Server {
  const server = createServer({
    // Node checks the two limits below only every 30 s by default.
    connectionsCheckingInterval: 500,
    headersTimeout: 5000,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  if (Number.isFinite(options.connections)) server.maxConnections = options.connections;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (!options.trustedProxies.contains(address)) limitOf(open, address, options.connectionsPerAddress, socket);
  });
  return server;
}

/** Counts a connection of an address, or closes it when there are too many. */
function limitOf(open: Map<string, number>, address: string, most: number, socket: Socket): void {
  const before = open.get(address) ?? 0;
  if (before >= most) {
    socket.destroy();
    return;
  }
  open.set(address, before + 1);
  socket.once('close', () => {
    const left = open.get(address)! - 1;
    if (left > 0) open.set(address, left);
    else open.delete(address);
  });
}
