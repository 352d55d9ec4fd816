import { InvalidInputError } from '#src/domain/errors.js';
import { durationMs, durationText } from '#src/domain/project-file/duration.js';

/** A length of time as a person types it: `90s`, `5 m`, `2h`. @returns ms @throws InvalidInputError */
export function readDuration(text: string | undefined, longestMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = durationMs(text.replaceAll(' ', '').toLowerCase());
  if (ms === undefined || ms < 1) throw new InvalidInputError('Enter a number and a unit, such as 90s, 5m or 2h.');
  if (ms > longestMs) throw new InvalidInputError(`At most ${durationText(longestMs)}.`);
  return ms;
}
