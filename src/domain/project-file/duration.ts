const DURATION = /^(\d{1,12})(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `500ms`, `60s`, `5m` or `2h`. @returns ms, or undefined when `text` is something else */
export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  return match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : undefined;
}

/** A duration in the largest unit that gives a whole number. @param ms greater than 0 */
export function durationText(ms: number): string {
  const units = Object.entries(UNIT_MS).reverse();
  const [unit, size] = units.find(([, size]) => ms % size === 0)!;
  return `${ms / size}${unit}`;
}
