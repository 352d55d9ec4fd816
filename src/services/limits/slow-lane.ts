/** A few at a time, in their order, and a bounded number that waits for a bounded time. */
export interface SlowLane {
  /** @returns ends the turn; undefined when too many wait, or this one has waited too long */
  enter(): Promise<(() => void) | undefined>;
}

export interface SlowLaneOptions {
  /** Turns at the same time. */
  width: number;
  /** How many may wait. */
  queue: number;
  /** How long one waits, in ms. */
  waitMs: number;
}

export function createSlowLane({ width, queue, waitMs }: SlowLaneOptions): SlowLane {
  const waiting = new Set<() => void>();
  let inside = 0;

  function leave(): void {
    inside--;
    const [next] = waiting;
    next?.();
  }

  return {
    async enter() {
      if (inside >= width) {
        if (waiting.size >= queue || !(await turnCame())) return undefined;
      } else inside++;
      return leave;
    },
  };

  /** Takes the turn of somebody who leaves. */
  function turnCame(): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(late);
        waiting.delete(begin);
        inside++;
        resolve(true);
      };
      const late = setTimeout(() => {
        waiting.delete(begin);
        resolve(false);
      }, waitMs);
      waiting.add(begin);
    });
  }
}
