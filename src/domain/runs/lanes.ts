/** Something that took its time, in ms. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Puts spans side by side: each into the first lane that is free when it begins, as a suite's slots take its tests.
 * @param spans in any order
 * @returns the lane of each, from 0, in the order of the spans, and how many lanes there are
 */
export function lanesOf(spans: readonly Span[]): { lanes: number[]; count: number } {
  const order = spans.map((_, index) => index).sort((a, b) => spans[a]!.from - spans[b]!.from);
  const lanes = new Array<number>(spans.length).fill(0);
  const freeFrom: number[] = [];
  for (const index of order) {
    const { from, to } = spans[index]!;
    const free = freeFrom.findIndex((moment) => moment <= from);
    const lane = free === -1 ? freeFrom.length : free;
    freeFrom[lane] = to;
    lanes[index] = lane;
  }
  return { lanes, count: freeFrom.length };
}
