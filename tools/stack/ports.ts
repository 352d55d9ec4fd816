import net from 'node:net';

const TRIES = 200;
const PROBE_MS = 500;
/**
 * Where ports without a preference are from: below what systems give to outgoing connections (Linux from 32768 on), which
 * could take the port of a server while it is restarted.
 */
const LOWEST = 20_000;
const HOW_MANY = 7000;

/** Given out by this process but perhaps not yet listened on. */
const givenOut = new Set<number>();

/**
 * A free TCP port on 127.0.0.1 that this process has not given out before.
 * @param preferred the first to try, then the next ones; without it any
 * @throws Error when 200 ports in a row are taken
 */
export async function freePort(preferred?: number): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = await tryPort(preferred === undefined ? randomPort() : preferred + attempt);
    if (port === undefined || givenOut.has(port)) continue;
    givenOut.add(port);
    return port;
  }
  throw new Error(
    `No free port found${preferred === undefined ? '' : ` from ${preferred}`} (tried ${TRIES}). Stop the processes that use them, or choose a different port.`,
  );
}

/**
 * Whoever asks a port whether a server is ready must know that no other answers there.
 * @throws Error when something listens on it
 */
export async function checkFree(port: number): Promise<void> {
  if ((await tryPort(port)) === undefined)
    throw new Error(`Port ${port} on 127.0.0.1 is in use. Stop the process that uses it.`);
}

const randomPort = () => LOWEST + Math.floor(Math.random() * HOW_MANY);

/** @returns undefined when it is taken */
async function tryPort(wanted: number): Promise<number | undefined> {
  if (wanted > 65_535 || (await answers(wanted))) return undefined;
  return await new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** A listener on another address of the machine can take our calls too, where the system lets both listen (macOS). */
async function answers(port: number): Promise<boolean> {
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
