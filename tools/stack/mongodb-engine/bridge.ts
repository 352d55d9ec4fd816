import net from 'node:net';
import { pipeline } from 'node:stream';

/** Connects each TCP client to a unix socket, both ways, until either end closes. */
export function bridgeTo(socketPath: string): (client: net.Socket) => void {
  return (client) => {
    const socket = net.connect(socketPath);
    // A client that goes away in the middle is its own affair; the other end is closed with it.
    pipeline(client, socket, () => client.destroy());
    pipeline(socket, client, () => socket.destroy());
  };
}
