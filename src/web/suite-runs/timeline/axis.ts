import { formatDuration } from '#src/web/texts/format.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12, 24].map((count) => count * HOUR),
];
const MOST_STEPS = 5;

/** A time axis in round steps, from 0 over the whole of `ms`. */
export function axisFor(ms: number): { ms: number; labels: string[] } {
  const least = ms / MOST_STEPS;
  const step = STEPS.find((one) => one >= least) ?? Math.ceil(least / (24 * HOUR)) * 24 * HOUR;
  const count = Math.max(1, Math.ceil(ms / step));
  const labels = Array.from({ length: count + 1 }, (_, index) =>
    index === 0 ? '0' : formatDuration(new Date(0), new Date(index * step)),
  );
  return { ms: count * step, labels };
}
