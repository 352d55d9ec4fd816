/** Reproducible random numbers. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer, both ends included. */
  between(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
  /** Another sequence, independent of how much was drawn here. */
  fork(label: string): Random;
}

/** @param seed any integer */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;

  /** mulberry32: 32 bits of state, good enough for drawing faults. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));

  return {
    next,
    between,
    pick: (from) => from[between(0, from.length - 1)]!,
    shuffled(from) {
      const list = [...from];
      for (let last = list.length - 1; last > 0; last--) {
        const other = between(0, last);
        [list[last], list[other]] = [list[other]!, list[last]!];
      }
      return list;
    },
    fork: (label) => seededRandom([...label].reduce((hash, char) => Math.imul(hash, 31) + char.charCodeAt(0), seed)),
  };
}
