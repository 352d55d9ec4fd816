import net from 'node:net';

const TRIES = 200;
const PROBE_MS = 500;
/**
 * Range of ports without a preference: below the range of outgoing connections (Linux: from 32768), which could take the
 * port of a server while it restarts.
 */
const LOWEST = 20_000;
const HOW_MANY = 7000;

/** Ports returned by this process, which may not be in use yet. */
const reserved = new Set<number>();

/**
 * A free TCP port on 127.0.0.1 that this process has not returned before.
 * @param preferred the first port to try; default: any
 * @throws Error when 200 ports in a row are taken
 */
export async function freePort(preferred?: number): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = await tryPort(preferred === undefined ? randomPort() : preferred + attempt);
    if (port === undefined || reserved.has(port)) continue;
    reserved.add(port);
    return port;
  }
  throw new Error(
    `No free port found${preferred === undefined ? '' : ` from ${preferred}`} (tried ${TRIES}). Stop the processes that use them, or choose a different port.`,
  );
}

/**
 * Call it before probing a port for readiness, so that no other server responds.
 * @throws Error when the port is in use
 */
export async function checkFree(port: number): Promise<void> {
  if ((await tryPort(port)) === undefined)
    throw new Error(`Port ${port} on 127.0.0.1 is in use. Stop the process that uses it.`);
}

const randomPort = () => LOWEST + Math.floor(Math.random() * HOW_MANY);

/** @returns undefined when it is taken */
async function tryPort(requested: number): Promise<number | undefined> {
  if (requested > 65_535 || (await isListening(requested))) return undefined;
  return await new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen({ port: requested, host: '127.0.0.1', exclusive: true }, () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Where the system allows it (macOS), a listener on another address of the machine would also receive connections. */
async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', timeout: PROBE_MS });
    const end = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(true));
    socket.once('error', () => end(false));
  });
}
