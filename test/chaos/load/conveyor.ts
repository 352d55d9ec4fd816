import type { Socket } from 'node:net';

/** One direction of a connection: forwards bytes in order, each after the delay in force when it arrived. */
export interface Conveyor {
  add(bytes: Buffer): void;
  /** End of input: closes the other side once everything has been forwarded. */
  end(): void;
  /** Stops forwarding. */
  hold(): void;
}

/** @param delayMs called for each chunk */
export function createConveyor(to: Socket, delayMs: () => number): Conveyor {
  const waiting: { due: number; bytes: Buffer | undefined }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let held = false;

  function move(): void {
    timer = undefined;
    while (!held && waiting.length > 0) {
      const wait = waiting[0]!.due - performance.now();
      if (wait > 0) return void (timer = setTimeout(move, wait));
      const { bytes } = waiting.shift()!;
      if (to.destroyed) continue;
      if (bytes) to.write(bytes);
      else to.end();
    }
  }

  function put(bytes: Buffer | undefined): void {
    waiting.push({ due: Math.max(waiting.at(-1)?.due ?? 0, performance.now() + delayMs()), bytes });
    if (!timer) move();
  }

  return {
    add: put,
    end: () => put(undefined),
    hold: () => void (held = true),
  };
}
