import { wallOf } from '#src/domain/schedules/zoned-time.js';
import { DataTable } from './data-table.js';
import { Moment } from './moment.js';

/** The next times of a schedule: by the clock of its zone, and in the reader's. */
export function NextTimes({ times, timeZone }: { times: readonly Date[]; timeZone: string }) {
  return (
    <DataTable
      class="next-times"
      caption={`The next ${times.length} times`}
      items={times}
      columns={[
        { label: `In ${timeZone}`, cell: (time) => wallText(time, timeZone) },
        { label: 'For you', cell: (time) => <Moment at={time} /> },
      ]}
    />
  );
}

/** `Mon 2026-08-03 06:00` */
function wallText(time: Date, timeZone: string): string {
  const wall = wallOf(time, timeZone);
  const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' }).format(wall);
  return `${day} ${wall.toISOString().slice(0, 16).replace('T', ' ')}`;
}
