import Joi from 'joi';
import { refusalOf, type Schedule } from '#src/domain/schedules/schedule.js';
import { nextTimesOf, TIMES_SHOWN } from '#src/services/schedules/schedule-views.js';
import { moment, uuid } from '#src/server/api/shapes.js';
import { revision, SAMPLE_PROJECT, SAMPLE_SUITE } from './target-shapes.js';

/* Schedules in responses. */

const lastFired = Joi.object({
  at: moment.required().description('The scheduled time.'),
  runId: uuid.allow(null).required(),
  refusedBecause: Joi.string().allow(null).required().description('Why no run was started, such as a reached limit.'),
});

export const scheduleShape = Joi.object({
  id: uuid.required(),
  projectId: uuid.required(),
  name: Joi.string().required(),
  revision,
  archived: Joi.boolean().required(),
  modified: moment.required(),
  testId: uuid.allow(null).required(),
  suiteId: uuid.allow(null).required(),
  cron: Joi.string().required(),
  timeZone: Joi.string().required().description('The IANA time zone of `cron`.'),
  paused: Joi.boolean().required(),
  catchUpMs: Joi.number()
    .integer()
    .required()
    .description('Catch-up window: how late a missed run may still be started.'),
  runProfileId: uuid.allow(null).required(),
  nextTimes: Joi.array()
    .items(moment)
    .max(TIMES_SHOWN)
    .required()
    .description('The next five times. Empty if the schedule is paused, deleted or has a problem.'),
  problem: Joi.string()
    .allow(null)
    .required()
    .description('Why Temporal rejects the schedule, which then starts no runs. Null if no problem is known.'),
  lastFired: lastFired
    .allow(null)
    .required()
    .description('The outcome of the last scheduled time. Null if there was none yet.'),
});

/** A schedule in responses. */
/** @param now for the next times */
export function showSchedule(schedule: Schedule, now: Date) {
  const { _id, projectId, name, revision, archivedAt, modifiedAt, definition, lastFired } = schedule;
  return {
    id: _id,
    projectId,
    name,
    revision,
    archived: archivedAt !== undefined,
    modified: modifiedAt.toISOString(),
    testId: null,
    suiteId: null,
    runProfileId: null,
    ...definition,
    nextTimes: nextTimesOf(schedule, now).map((time) => time.toISOString()),
    problem: refusalOf(schedule)?.message ?? null,
    lastFired: lastFired
      ? {
          at: lastFired.at.toISOString(),
          runId: lastFired.runId ?? null,
          refusedBecause: lastFired.refusedBecause ?? null,
        }
      : null,
  };
}

export const NEW_SCHEDULE = {
  name: 'Every weekday morning',
  suiteId: SAMPLE_SUITE.id,
  cron: '0 6 * * 1-5',
  timeZone: 'Europe/Stockholm',
};

export const SAMPLE_SCHEDULE = {
  id: '5c4ed01e-3c4d-8e5f-9061-728394a5b6c7',
  projectId: SAMPLE_PROJECT.id,
  revision: 1,
  archived: false,
  modified: '2026-01-05T09:31:00.000Z',
  testId: null,
  runProfileId: null,
  ...NEW_SCHEDULE,
  paused: false,
  catchUpMs: 3_600_000,
  nextTimes: ['2026-01-06T05:00:00.000Z', '2026-01-07T05:00:00.000Z'],
  problem: null,
  lastFired: { at: '2026-01-05T05:00:00.000Z', runId: 'b5f1c7a4-0a3c-4d0e-9f7a-3a6a0c2f9d11', refusedBecause: null },
};
