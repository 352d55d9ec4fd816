import { formatTime } from '../format.js';

/** A moment in UTC, with its exact value to hover over. */
export function Moment({ at }: { at: Date }) {
  return (
    <time datetime={at.toISOString()} title={at.toISOString()}>
      {formatTime(at)}
    </time>
  );
}
