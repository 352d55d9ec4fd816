import Joi from 'joi';
import { must, name, wholeNumber } from './definition-fields.js';
import { cronFields } from './cron.js';
import { durationMs } from './project-file-duration.js';
import { SCHEDULE_DEFAULTS, type ScheduleDefinition } from './schedule.js';
import { knownTimeZone } from './zoned-time.js';

/* The fields of schedules, for project files and the API alike. */

/** A later run says little of its time. */
export const LONGEST_CATCH_UP_MS = 168 * 3_600_000;
const SHORTEST_CATCH_UP_MS = 60_000;

export const cron = Joi.string()
  .trim()
  .max(200)
  .custom((value: string, helpers) => (cronFields(value) ? value : helpers.error('any.invalid')))
  .messages(
    must(
      'a cron of five fields (minute, hour, day of the month, month, day of the week) that comes at some time, such as ' +
        '"0 6 * * 1-5", or @hourly, @daily, @weekly, @monthly or @yearly',
    ),
  );

export const timeZone = Joi.string()
  .max(60)
  .custom((value: string, helpers) => knownTimeZone(value) ?? helpers.error('any.invalid'))
  .messages(must('a time zone by its IANA name, such as Europe/Stockholm or UTC'));

/** As a project file writes it. */
export const catchUp = Joi.string()
  .custom((text: string, helpers) => {
    const ms = durationMs(text);
    const fits = ms !== undefined && ms >= SHORTEST_CATCH_UP_MS && ms <= LONGEST_CATCH_UP_MS;
    return fits ? text : helpers.error('any.invalid');
  })
  .messages(must('a duration of 1m to 168h, with its unit: 5m or 2h'));

const id = (of: string) => Joi.string().guid().lowercase().messages(must(`the id of a ${of}, a UUID`));
const testId = id('test of this project');
const suiteId = id('suite of this project');
const runProfileId = id('profile of variables of this project');
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
  .messages({
    'object.missing': 'Say what it starts: testId or suiteId',
    'object.xor': 'It starts a test or a suite, not both: give testId or suiteId',
  });

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
  .messages({ 'object.min': 'Say what to change: name, testId, suiteId, cron, timeZone, paused, catchUpMs, runProfileId' });
