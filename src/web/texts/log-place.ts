import type { LogLine } from '#src/domain/runs/log-line.js';

type Place = Pick<LogLine, 'attempt' | 'delivery' | 'seq'>;

/** A line's place as text: `attempt.delivery.line`. */
export function placeText({ attempt, delivery, seq }: Place): string {
  return `${attempt}.${delivery}.${seq}`;
}

/** What `placeText` has made. */
export function placeOf(text: string): Place {
  const [attempt = 0, delivery = 0, seq = 0] = text.split('.').map(Number);
  return { attempt, delivery, seq };
}

/** A line's id on the page: `L12` in the first attempt, `L2.1.12` in others. */
export function lineId(place: Place): string {
  return place.attempt === 1 && place.delivery === 1 ? `L${place.seq}` : `L${placeText(place)}`;
}
