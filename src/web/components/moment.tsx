import { formatTime } from '#src/web/texts/format.js';

/** A moment: in the reader's zone (app.js), without scripts in UTC; its exact value to hover over. */
export function Moment({ at }: { at: Date }) {
  return (
    <time data-moment datetime={at.toISOString()} title={at.toISOString()}>
      {formatTime(at)}
    </time>
  );
}
