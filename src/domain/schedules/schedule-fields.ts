import Joi from 'joi';
import { must, name, wholeNumber } from '#src/domain/targets/definition-fields.js';
import { cronFields } from './cron.js';
import { durationMs } from '#src/domain/project-file/duration.js';
import { SCHEDULE_DEFAULTS, type ScheduleDefinition } from './schedule.js';
import { ambiguousZones } from './ambiguous-zones.js';
import { knownTimeZone, meantTimeZone } from './zoned-time.js';

/* Fields of schedules, for project files and the API alike. */

/** One week. */
export const LONGEST_CATCH_UP_MS = 168 * 3_600_000;
export const SHORTEST_CATCH_UP_MS = 60_000;

export const cron = Joi.string()
  .trim()
  .max(200)
  .custom((value: string, helpers) => (cronFields(value) ? value : helpers.error('any.invalid')))
  .messages(
    must(
      'a cron expression with five fields (minute, hour, day of month, month, day of week) that matches some date, such as ' +
        '"0 6 * * 1-5", or @hourly, @daily, @weekly, @monthly or @yearly',
    ),
  );

const inWords = (zones: readonly string[]) => `${zones.slice(0, -1).join(', ')} or ${zones.at(-1)}`;

export const timeZone = Joi.string()
  .max(60)
  .custom((zone: string, helpers) => {
    const known = knownTimeZone(zone);
    if (known !== undefined) return known;
    const several = ambiguousZones(zone);
    if (several !== undefined) return helpers.error('timeZone.ambiguous', { zone, several: inWords(several) });
    const meant = meantTimeZone(zone);
    return helpers.error(meant === undefined ? 'any.invalid' : 'timeZone.meant', { zone, meant });
  })
  .messages({
    ...must('an IANA time zone such as Europe/Stockholm or UTC'),
    'timeZone.ambiguous': '{{#label}} must be an IANA time zone: {{#zone}} is ambiguous; use one such as {{#several}}',
    'timeZone.meant':
      '{{#label}} must be an IANA time zone: Temporal does not support {{#zone}}; did you mean {{#meant}}?',
  });

/** As text in a project file. */
export const catchUp = Joi.string()
  .custom((text: string, helpers) => {
    const ms = durationMs(text);
    const fits = ms !== undefined && ms >= SHORTEST_CATCH_UP_MS && ms <= LONGEST_CATCH_UP_MS;
    return fits ? text : helpers.error('any.invalid');
  })
  .messages(must('a duration from 1m to 168h, with a unit: 5m or 2h'));

const id = (of: string) =>
  Joi.string()
    .guid()
    .lowercase()
    .messages(must(`the ID (UUID) of a ${of}`));
const testId = id('test of this project');
const suiteId = id('suite of this project');
const runProfileId = id('variable set of this project');
const paused = Joi.boolean().strict().messages(must('true or false'));
const catchUpMs = wholeNumber(SHORTEST_CATCH_UP_MS, LONGEST_CATCH_UP_MS).strict();

export type NewSchedule = { name: string } & ScheduleDefinition;
/** `null`: none. */
export type ScheduleChanges = Partial<Omit<NewSchedule, 'testId' | 'suiteId' | 'runProfileId'>> &
  Partial<Record<'testId' | 'suiteId' | 'runProfileId', string | null>>;

export const newSchedule = Joi.object<NewSchedule>({
  name: name.required(),
  testId,
  suiteId,
  cron: cron.required(),
  timeZone: timeZone.default(SCHEDULE_DEFAULTS.timeZone),
  paused: paused.default(SCHEDULE_DEFAULTS.paused),
  catchUpMs: catchUpMs.default(SCHEDULE_DEFAULTS.catchUpMs),
  runProfileId,
})
  .xor('testId', 'suiteId')
  .messages({ 'object.missing': 'Set testId or suiteId', 'object.xor': 'Set either testId or suiteId, not both' });

export const scheduleChanges = Joi.object<ScheduleChanges>({
  name,
  testId: testId.allow(null),
  suiteId: suiteId.allow(null),
  cron,
  timeZone,
  paused,
  catchUpMs,
  runProfileId: runProfileId.allow(null),
})
  .min(1)
  .messages({
    'object.min': 'Set at least one of: name, testId, suiteId, cron, timeZone, paused, catchUpMs, runProfileId',
  });
