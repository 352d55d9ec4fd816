import Joi from 'joi';
import { refusalOf, type Schedule } from '../../../../domain/schedule.js';
import type { Target } from '../../../../services/definitions/targets.js';
import { nextTimesOf, TIMES_SHOWN } from '../../../../services/schedules/schedule-views.js';
import { moment, uuid } from '../../../api/shapes.js';
import { revision, SAMPLE_PROJECT, SAMPLE_SUITE } from './shapes.js';

/* How schedules look in answers. */

const lastFired = Joi.object({
  at: moment.required().description('The time by the cron.'),
  runId: uuid.allow(null).required(),
  refusedBecause: Joi.string().allow(null).required().description('Why there is no run: a limit, mostly.'),
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
  timeZone: Joi.string().required().description('By its IANA name: what the hours of `cron` mean.'),
  paused: Joi.boolean().required(),
  catchUpMs: Joi.number().integer().required().description('How late a run may still be started.'),
  runProfileId: uuid.allow(null).required(),
  nextTimes: Joi.array()
    .items(moment)
    .max(TIMES_SHOWN)
    .required()
    .description('The next five; none of one that is paused or removed, or has a problem.'),
  problem: Joi.string()
    .allow(null)
    .required()
    .description('Why Temporal does not accept the schedule, which then starts nothing; null: nothing is known.'),
  lastFired: lastFired.allow(null).required().description('What its last time came to; null: none has come yet.'),
});

/** A schedule in answers. */
export function showSchedule(target: Target) {
  const schedule = target as unknown as Schedule;
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
    nextTimes: nextTimesOf(schedule).map((time) => time.toISOString()),
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
