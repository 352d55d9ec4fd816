import { eventually } from '#test/support/eventually.js';

/** Faults overlap, but never break the same part at the same time. */
export interface Claims {
  /**
   * Waits until all of these are free and claims them.
   * @returns a function that releases them
   * @throws Error after `withinMs`
   */
  take(names: string[], withinMs: number): Promise<() => void>;
}

export function createClaims(): Claims {
  const taken = new Set<string>();
  return {
    async take(names, withinMs) {
      await eventually(() => {
        if (names.some((name) => taken.has(name))) return undefined;
        names.forEach((name) => taken.add(name));
        return true;
      }, withinMs);
      return () => names.forEach((name) => taken.delete(name));
    },
  };
}
