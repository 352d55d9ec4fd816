import { Cron } from 'croner';
import { hasChange, isWholeHours, momentsOf, wallOf } from './zoned-time.js';

/*
 * Cron expressions, with these rules for clock changes (see docs/decisions/runs/schedules.md): times in the skipped hour
 * do not occur that day. In the repeated hour, an hourly cron fires both times, any other only the second time.
 */

const NAMED: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const NUMBER = '\\d{1,2}';
const MONTH = `${NUMBER}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec`;
const WEEKDAY = `${NUMBER}|sun|mon|tue|wed|thu|fri|sat`;
/** The syntax that Temporal and croner interpret alike. */
const FIELDS = [NUMBER, NUMBER, NUMBER, MONTH, WEEKDAY].map((value) => {
  const part = `(\\*|(${value})(-(${value}))?)(/\\d{1,2})?`;
  return new RegExp(`^${part}(,${part})*$`);
});
/** More than any clock change. */
const OVERLAP_MS = 4 * 3_600_000;

/** The five fields: minute, hour, day of the month, month, day of the week. @returns undefined for an invalid expression */
export function cronFields(cron: string): string[] | undefined {
  const text = cron.trim().toLowerCase();
  const fields = (NAMED[text] ?? text).split(/\s+/);
  if (fields.length !== FIELDS.length || !FIELDS.every((field, index) => field.test(fields[index]!))) return undefined;
  try {
    return wallClock(fields).nextRun() ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** Temporal's expressions for a cron. Temporal requires both days to match, cron either, hence two expressions. */
export function cronSpec(cron: string, timeZone: string): { cronExpressions: string[]; timezone: string } {
  const [minute, hour, day, month, weekday] = fieldsOf(cron);
  const isEither = day !== '*' && weekday !== '*';
  const days = isEither ? [`${day} ${month} *`, `* ${month} ${weekday}`] : [`${day} ${month} ${weekday}`];
  // Temporal skips the repeated hour, so an hourly cron uses UTC.
  const isEveryHour = [hour, day, month, weekday].every((field) => field === '*') && isWholeHours(timeZone);
  return {
    cronExpressions: days.map((rest) => `${minute} ${hour} ${rest}`),
    timezone: isEveryHour ? 'UTC' : timeZone,
  };
}

/**
 * The next times of a cron after a time, in order.
 * @throws RangeError for an invalid cron or time zone
 */
export function nextTimes(cron: string, timeZone: string, after: Date, count: number): Date[] {
  const fields = fieldsOf(cron);
  const clock = wallClock(fields);
  const isHourly = fields[1] === '*';
  const found: number[] = [];
  // When clocks are set back, wall times are not in the order of their instants, so more of them are examined.
  const slack = (near: Date) => (hasChange(near, timeZone) ? OVERLAP_MS : 0);
  let wall: Date | null = new Date(wallOf(after, timeZone).getTime() - slack(after));
  let enough = Infinity;
  while ((wall = clock.nextRun(wall)) && wall.getTime() <= enough) {
    const all = momentsOf(wall, timeZone);
    const moments = (isHourly ? all : all.slice(-1)).filter((moment) => moment > after);
    found.push(...moments.map((moment) => moment.getTime()));
    if (found.length >= count && enough === Infinity) enough = wall.getTime() + slack(new Date(found.at(-1)!));
  }
  return found
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((time) => new Date(time));
}

export function isTimeOf(cron: string, timeZone: string, at: Date): boolean {
  return nextTimes(cron, timeZone, new Date(at.getTime() - 1), 1)[0]?.getTime() === at.getTime();
}

function fieldsOf(cron: string): string[] {
  const fields = cronFields(cron);
  if (!fields) throw new RangeError(`"${cron}" is not a valid cron expression`);
  return fields;
}

/** A cron on wall times, which have no daylight saving time. */
function wallClock(fields: readonly string[]): Cron {
  return new Cron(fields.join(' '), { timezone: 'UTC', mode: '5-part' });
}
