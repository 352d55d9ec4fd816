/** A period, in ms. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Assigns each span to the first lane that is free when it begins, like the tests of a suite to its slots.
 * @param spans in any order
 * @returns the lane of each span, from 0, and the number of lanes
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
