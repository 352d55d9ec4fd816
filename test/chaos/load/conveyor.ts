import type { Socket } from 'node:net';

/** One direction of a connection: bytes go on in order, each after the delay that held when it came. */
export interface Conveyor {
  add(bytes: Buffer): void;
  /** No more will come: closes the far side once all has arrived. */
  end(): void;
  /** Nothing goes on any more. */
  hold(): void;
}

/** @param delayMs asked for each chunk */
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
