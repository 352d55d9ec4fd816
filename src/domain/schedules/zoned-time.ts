import { ianaZone } from './iana-zones.js';

/*
 * Wall clocks. A `wall` is what a clock on the wall shows, kept as if it were UTC: 02:30 in Stockholm is the Date of
 * 02:30Z.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A time zone that both this process and Temporal know, as IANA writes it, whatever the case it is given in.
 * @returns undefined when there is none of this name
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
 * The time zone that a name stands for which this process knows and Temporal does not.
 * @returns undefined for a name of none, or of none that both know
 */
export function meantTimeZone(name: string): string | undefined {
  try {
    return knownTimeZone(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}

/** What the clock on the wall shows at a moment. @throws RangeError for a time zone that is not known */
export function wallOf(at: Date, timeZone: string): Date {
  return new Date(at.getTime() + offsetMs(at.getTime(), timeZone));
}

/** The moments, in order, at which the clock shows this: none in the hour that summer time leaves out, two in the one that comes twice. */
export function momentsOf(wall: Date, timeZone: string): Date[] {
  const time = wall.getTime();
  const offsets = new Set([time - DAY_MS, time + DAY_MS].map((near) => offsetMs(near, timeZone)));
  return [...offsets]
    .map((offset) => time - offset)
    .filter((moment) => moment + offsetMs(moment, timeZone) === time)
    .sort((a, b) => a - b)
    .map((moment) => new Date(moment));
}

/** Whether the clocks are changed within a day of a moment. */
export function hasChange(near: Date, timeZone: string): boolean {
  return offsetMs(near.getTime() - DAY_MS, timeZone) !== offsetMs(near.getTime() + DAY_MS, timeZone);
}

/** Whether the zone is whole hours from UTC, in summer and in winter. */
export function isWholeHours(timeZone: string): boolean {
  const now = Date.now();
  return [now, now + 182 * DAY_MS].every((at) => offsetMs(at, timeZone) % HOUR_MS === 0);
}

/** How far the wall is ahead of UTC, in ms. */
function offsetMs(at: number, timeZone: string): number {
  // The format knows whole seconds.
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
