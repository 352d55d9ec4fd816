import { formatDuration } from '#src/web/texts/format.js';

/** How long something took; while it goes on, counting (app.js). */
export function Elapsed({ from, to, now }: { from: Date; to?: Date | undefined; now: Date }) {
  return to ? (
    <>{formatDuration(from, to)}</>
  ) : (
    <span data-since={from.toISOString()}>{formatDuration(from, now)}</span>
  );
}
