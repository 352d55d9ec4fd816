import { ianaZone } from './iana-zones.js';

/*
 * Wall times. A `wall` is the local time of a zone, represented as if it were UTC: 02:30 in Stockholm is the Date of
 * 02:30Z.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The IANA name of a time zone, given in any case, that both this process and Temporal support.
 * @returns undefined when there is none
 */
export function knownTimeZone(name: string): string | undefined {
  const zone = ianaZone(name);
  if (zone === undefined) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}

/**
 * The supported time zone for an alias that only Node supports, such as `PST`.
 * @returns undefined when there is none
 */
export function meantTimeZone(name: string): string | undefined {
  try {
    return knownTimeZone(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}

/** @throws RangeError for an unknown time zone */
export function wallOf(at: Date, timeZone: string): Date {
  return new Date(at.getTime() + offsetMs(at.getTime(), timeZone));
}

/** The instants of a wall time, in order: none in a skipped hour, two in a repeated hour. */
export function momentsOf(wall: Date, timeZone: string): Date[] {
  const time = wall.getTime();
  const offsets = new Set([time - DAY_MS, time + DAY_MS].map((near) => offsetMs(near, timeZone)));
  return [...offsets]
    .map((offset) => time - offset)
    .filter((moment) => moment + offsetMs(moment, timeZone) === time)
    .sort((a, b) => a - b)
    .map((moment) => new Date(moment));
}

/** Whether the clocks change within a day of a time. */
export function hasChange(near: Date, timeZone: string): boolean {
  return offsetMs(near.getTime() - DAY_MS, timeZone) !== offsetMs(near.getTime() + DAY_MS, timeZone);
}

/** Whether the zone's offset from UTC is a whole number of hours, in summer and in winter. */
export function isWholeHours(timeZone: string): boolean {
  const now = Date.now();
  return [now, now + 182 * DAY_MS].every((at) => offsetMs(at, timeZone) % HOUR_MS === 0);
}

/** How far the wall is ahead of UTC, in ms. */
function offsetMs(at: number, timeZone: string): number {
  // The format has a resolution of seconds.
  const second = Math.floor(at / 1000) * 1000;
  const parts = formatOf(timeZone).formatToParts(second);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)!.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - second;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formats.set(timeZone, format);
  }
  return format;
}
