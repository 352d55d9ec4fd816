import net from 'node:net';
import { pipeline } from 'node:stream';

/** Connects each TCP client to a Unix socket, in both directions, until either end closes. */
export function bridgeTo(socketPath: string): (client: net.Socket) => void {
  return (client) => {
    const socket = net.connect(socketPath);
    // Ignores errors of disconnected clients, and closes the other end.
    pipeline(client, socket, () => client.destroy());
    pipeline(socket, client, () => socket.destroy());
  };
}
