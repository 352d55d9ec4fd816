import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createConveyor, type Conveyor } from '#test/chaos/load/conveyor.js';

/** Matches bytes that mark an exact point in a conversation. */
export interface Trap {
  request: (bytes: Buffer) => boolean;
  /**
   * If present, springs on the first matching response on the connection of the request; otherwise on the request
   * itself.
   */
  answer?: (bytes: Buffer) => boolean;
}

/** A TCP proxy on 127.0.0.1 between two parts, which can inject faults. */
export interface Link {
  name: string;
  port: number;
  /** Delays bytes by `ms`, each way. */
  delay(ms: number): void;
  /** Resets every connection and refuses new ones. */
  cut(): void;
  /** Forwards nothing, without notice. Data arrives after the healing, as after a network outage. */
  blackHole(): void;
  heal(): void;
  /**
   * Springs once. The bytes that spring it are never forwarded, and neither is the rest of their connection.
   * @param spring called immediately, with the bytes that sprang it and with those of the request
   * @returns a function that disarms it
   */
  arm(trap: Trap, spring: (bytes: Buffer, request: Buffer) => void): () => void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  conveyors: Conveyor[];
  /** The request on this connection that matched the armed trap and waits for its response. */
  trapped?: Buffer;
}

export async function startLink(name: string, targetPort: number): Promise<Link> {
  const pairs = new Set<Pair>();
  let mode: 'whole' | 'cut' | 'black hole' = 'whole';
  let delayMs = 0;
  let armed: { trap: Trap; spring: (bytes: Buffer, request: Buffer) => void } | undefined;

  /** @returns whether these bytes sprang the trap */
  function springs(pair: Pair, bytes: Buffer, direction: 'request' | 'answer'): boolean {
    if (!armed) return false;
    const { trap, spring } = armed;
    if (direction === 'request') {
      if (!trap.request(bytes)) return false;
      pair.trapped = bytes;
      if (trap.answer) return false;
    } else if (!pair.trapped || !trap.answer?.(bytes)) return false;
    armed = undefined;
    pair.conveyors.forEach((conveyor) => conveyor.hold());
    spring(bytes, pair.trapped!);
    return true;
  }

  function convey(pair: Pair, from: Socket, to: Socket, direction: 'request' | 'answer'): Conveyor {
    const conveyor = createConveyor(to, () => delayMs);
    from.on('data', (bytes: Buffer) => void (springs(pair, bytes, direction) || conveyor.add(bytes)));
    from.on('end', () => conveyor.end());
    from.on('error', () => to.destroy());
    from.on('close', () => conveyor.end());
    return conveyor;
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (mode === 'cut') return void near.on('error', () => {}).resetAndDestroy();
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [near, far]) socket.setNoDelay(true);
    const pair: Pair = { near, far, conveyors: [] };
    pair.conveyors.push(convey(pair, near, far, 'request'), convey(pair, far, near, 'answer'));
    pairs.add(pair);
    for (const socket of [near, far])
      socket.on('close', () => void (near.destroyed && far.destroyed && pairs.delete(pair)));
    if (mode === 'black hole') stop(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const stop = ({ near, far }: Pair) => [near, far].forEach((socket) => socket.pause());
  const resume = ({ near, far }: Pair) => [near, far].forEach((socket) => socket.resume());
  const reset = ({ near, far }: Pair) => [near, far].forEach((socket) => socket.resetAndDestroy());

  return {
    name,
    port: (server.address() as AddressInfo).port,
    delay: (ms) => void (delayMs = ms),
    cut() {
      mode = 'cut';
      pairs.forEach(reset);
    },
    blackHole() {
      mode = 'black hole';
      pairs.forEach(stop);
    },
    heal() {
      mode = 'whole';
      delayMs = 0;
      pairs.forEach(resume);
    },
    arm(trap, spring) {
      const mine = { trap, spring };
      armed = mine;
      pairs.forEach((pair) => delete pair.trapped);
      return () => void (armed === mine && (armed = undefined));
    },
    close() {
      pairs.forEach(reset);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
