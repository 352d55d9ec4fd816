import { Cron } from 'croner';
import { hasChange, isWholeHours, momentsOf, wallOf } from './zoned-time.js';

/*
 * Cron, and what becomes of it when clocks are changed (see docs/decisions/runs/schedules.md): what falls into the hour that
 * is left out does not come that day. In the hour that comes twice, what comes every hour comes in both; what has its
 * hours comes once, in the second.
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
/** What Temporal and croner both read, and alike. */
const FIELDS = [NUMBER, NUMBER, NUMBER, MONTH, WEEKDAY].map((value) => {
  const part = `(\\*|(${value})(-(${value}))?)(/\\d{1,2})?`;
  return new RegExp(`^${part}(,${part})*$`);
});
/** More than clocks are put back by. */
const OVERLAP_MS = 4 * 3_600_000;

/** The five fields of a cron: minute, hour, day of the month, month, day of the week. @returns undefined for what is none */
export function cronFields(cron: string): string[] | undefined {
  const written = cron.trim().toLowerCase();
  const fields = (NAMED[written] ?? written).split(/\s+/);
  if (fields.length !== FIELDS.length || !FIELDS.every((field, index) => field.test(fields[index]!))) return undefined;
  try {
    return wallClock(fields).nextRun() ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** A cron as Temporal's expressions, all of which count: where both are given, a day of the month or of the week suffices. */
export function cronSpec(cron: string, timeZone: string): { cronExpressions: string[]; timezone: string } {
  const [minute, hour, day, month, weekday] = fieldsOf(cron);
  const isEither = day !== '*' && weekday !== '*';
  const days = isEither ? [`${day} ${month} *`, `* ${month} ${weekday}`] : [`${day} ${month} ${weekday}`];
  // Temporal leaves out times where clocks are put back. What comes in every hour of every day needs no time zone.
  const isEveryHour = [hour, day, month, weekday].every((field) => field === '*') && isWholeHours(timeZone);
  return {
    cronExpressions: days.map((rest) => `${minute} ${hour} ${rest}`),
    timezone: isEveryHour ? 'UTC' : timeZone,
  };
}

/**
 * The next times of a cron after a moment, in order.
 * @throws RangeError for a cron or a time zone that is none
 */
export function nextTimes(cron: string, timeZone: string, after: Date, count: number): Date[] {
  const fields = fieldsOf(cron);
  const clock = wallClock(fields);
  const comesInBoth = fields[1] === '*';
  const found: number[] = [];
  // Where clocks are put back, walls are not in the order of their moments: then so much more of them is looked at.
  const slack = (near: Date) => (hasChange(near, timeZone) ? OVERLAP_MS : 0);
  let wall: Date | null = new Date(wallOf(after, timeZone).getTime() - slack(after));
  let enough = Infinity;
  while ((wall = clock.nextRun(wall)) && wall.getTime() <= enough) {
    const all = momentsOf(wall, timeZone);
    const moments = (comesInBoth ? all : all.slice(-1)).filter((moment) => moment > after);
    found.push(...moments.map((moment) => moment.getTime()));
    if (found.length >= count && enough === Infinity) enough = wall.getTime() + slack(new Date(found.at(-1)!));
  }
  return found
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((time) => new Date(time));
}

/** Whether a moment is one of the cron's times. */
export function isTimeOf(cron: string, timeZone: string, at: Date): boolean {
  return nextTimes(cron, timeZone, new Date(at.getTime() - 1), 1)[0]?.getTime() === at.getTime();
}

function fieldsOf(cron: string): string[] {
  const fields = cronFields(cron);
  if (!fields) throw new RangeError(`"${cron}" is not a valid cron expression`);
  return fields;
}

/** Runs on wall clocks, which have no summer time. */
function wallClock(fields: readonly string[]): Cron {
  return new Cron(fields.join(' '), { timezone: 'UTC', mode: '5-part' });
}
