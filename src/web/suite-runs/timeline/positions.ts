/** Places in a suite as text for an address: `0-99,120`. @param positions ascending */
export function writePositions(positions: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const position of positions) {
    const last = ranges.at(-1);
    if (last?.[1] === position - 1) last[1] = position;
    else ranges.push([position, position]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** The first `limit` places of such a text. */
export function readPositions(text: string, limit: number): number[] {
  const positions: number[] = [];
  for (const range of text.split(',')) {
    const [from, to = from] = range.split('-').map(Number);
    for (let position = from!; position <= to! && positions.length < limit; position++) positions.push(position);
  }
  return positions;
}

/** What such a text looks like. */
export const POSITIONS = /^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/;
