import { cronFields } from '#src/domain/schedules/cron.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const SHORT = DAYS.map((day) => day.slice(0, 3).toLowerCase());
const NUMBER = /^\d+$/;

/** A cron of a usual form in words: `Monday to Friday at 06:00`. @returns undefined for others: their next times say it */
export function cronInWords(cron: string): string | undefined {
  const [minute = '', hour = '', day, month, weekday = ''] = cronFields(cron) ?? [];
  if (month !== '*') return undefined;
  const isDaily = day === '*' && weekday === '*';
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (isDaily && hour === '*') {
    if (minute === '*') return 'Every minute';
    // A step that does not divide an hour starts again with each hour.
    if (step && 60 % Number(step) === 0) return step === '1' ? 'Every minute' : `Every ${step} minutes`;
    return NUMBER.test(minute) ? `Every hour at minute ${Number(minute)}` : undefined;
  }
  if (!NUMBER.test(minute) || !NUMBER.test(hour)) return undefined;
  const at = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (isDaily) return `Every day ${at}`;
  if (day === '*') {
    const days = weekdaysInWords(weekday);
    return days && `${days} ${at}`;
  }
  return weekday === '*' && NUMBER.test(day!) ? `Day ${Number(day)} of each month ${at}` : undefined;
}

function weekdaysInWords(weekday: string): string | undefined {
  const name = (text: string) => DAYS[NUMBER.test(text) ? Number(text) : SHORT.indexOf(text)];
  const range = /^(\w+)-(\w+)$/.exec(weekday);
  if (range) return `${name(range[1]!)} to ${name(range[2]!)}`;
  const names = weekday.split(',').map(name);
  if (names.includes(undefined)) return undefined;
  return names.length === 1 ? `Every ${names[0]}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
