import { nextTimes } from '#src/domain/schedules/cron.js';
import { cron as cronSchema, timeZone as timeZoneSchema } from '#src/domain/schedules/schedule-fields.js';
import { TIMES_SHOWN } from '#src/services/schedules/schedule-views.js';
import type { Preview } from './page.js';

/** The next times of a cron expression in a time zone, after `now`; none if one of them is invalid. */
export function previewOf(cron: string, timeZone: string, now: Date): Preview {
  const zone = timeZoneSchema.validate(timeZone.trim());
  if (zone.error || cronSchema.validate(cron.trim()).error) return { times: [], timeZone };
  const known = zone.value as string;
  return { times: nextTimes(cron, known, now, TIMES_SHOWN), timeZone: known };
}
