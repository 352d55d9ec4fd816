import { wallOf } from '../../domain/zoned-time.js';
import { Moment } from './moment.js';

/** The next times of a schedule: by the clock of its zone, and in the reader's. */
export function NextTimes({ times, timeZone }: { times: readonly Date[]; timeZone: string }) {
  return (
    <table class="next-times">
      <caption class="visually-hidden">The next {times.length} times</caption>
      <thead>
        <tr>
          <th scope="col">In {timeZone}</th>
          <th scope="col">For you</th>
        </tr>
      </thead>
      <tbody>
        {times.map((time) => (
          <tr key={time.getTime()}>
            <th scope="row">{wallText(time, timeZone)}</th>
            <td data-label="For you">
              <Moment at={time} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `Mon 2026-08-03 06:00` */
export function wallText(time: Date, timeZone: string): string {
  const wall = wallOf(time, timeZone);
  const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' }).format(wall);
  return `${day} ${wall.toISOString().slice(0, 16).replace('T', ' ')}`;
}
