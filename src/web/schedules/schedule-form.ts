import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { nextTimes } from '#src/domain/schedules/cron.js';
import {
  cron as cronSchema,
  LONGEST_CATCH_UP_MS,
  newSchedule,
  timeZone as timeZoneSchema,
} from '#src/domain/schedules/schedule-fields.js';
import type { NewSchedule } from '#src/domain/schedules/schedule-fields.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { closestName } from '#src/domain/project-file/closest.js';
import { durationText } from '#src/domain/project-file/duration.js';
import { SCHEDULE_DEFAULTS, type Schedule } from '#src/domain/schedules/schedule.js';
import { TIMES_SHOWN } from '#src/services/schedules/schedule-views.js';
import type { Preview, ScheduleFormValues } from './edit/page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import { FieldReader } from '#src/server/pages/field-reader.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { readDuration } from '#src/server/pages/read-duration.js';

/** Names that a form offers, of tests and of suites each. */
const NAMES_OFFERED = 100;
/** A search for a name finds others too. */
const SEARCHED = 500;

type Definitions = Pick<RouteDeps['definitions'], 'tests' | 'suites'>;

/** As a new schedule begins. */
export const NEW_VALUES: ScheduleFormValues = {
  name: '',
  kind: 'suite',
  target: '',
  cron: '0 6 * * 1-5',
  timeZone: SCHEDULE_DEFAULTS.timeZone,
  catchUp: durationText(SCHEDULE_DEFAULTS.catchUpMs),
  paused: false,
  runProfileId: '',
};

/** The fields of the form, as a person compares them. */
export const SCHEDULE_FORM = {
  fields: ['name', 'kind', 'target', 'cron', 'timeZone', 'catchUp', 'paused', 'runProfileId'] as const,
  shown: (values: ScheduleFormValues, field: string): string => {
    const value = values[field as keyof ScheduleFormValues];
    return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value.trim();
  },
};

/** What stands in the form of one that is there. */
export function valuesOf({ name, definition }: Schedule, target: { kind: string; name: string }): ScheduleFormValues {
  const { cron, timeZone, catchUpMs, paused, runProfileId = '' } = definition;
  const { kind, name: targetName } = target;
  return { name, kind, target: targetName, cron, timeZone, catchUp: durationText(catchUpMs), paused, runProfileId };
}

/** As it was typed. */
export function typedValues(form: Form): ScheduleFormValues {
  const text = (field: keyof ScheduleFormValues) => form.raw(field);
  return {
    name: text('name'),
    kind: text('kind'),
    target: text('target'),
    cron: text('cron'),
    timeZone: text('timeZone'),
    catchUp: text('catchUp'),
    paused: form.isChecked('paused'),
    runProfileId: text('runProfileId'),
  };
}

/** What the form asks for. @throws InvalidInputError */
export async function readSchedule(form: Form, projectId: string, definitions: Definitions): Promise<NewSchedule> {
  const fields = new FieldReader();
  const kind = form.raw('kind') === 'test' ? 'test' : 'suite';
  const targetId = await targetIdOf(definitions, projectId, kind, form.text('target')).catch((error: unknown) => {
    fields.read('target', () => {
      throw error;
    });
    // There is none of this id: what else is wrong is told all the same.
    return projectId;
  });
  const value = {
    name: form.text('name'),
    [`${kind}Id`]: targetId,
    cron: form.text('cron'),
    timeZone: form.text('timeZone'),
    paused: form.isChecked('paused'),
    catchUpMs: fields.read('catchUp', () => readDuration(form.text('catchUp'), LONGEST_CATCH_UP_MS)),
    runProfileId: form.text('runProfileId'),
  };
  return atFields(() => checked(newSchedule, value, fields.problems));
}

/** The next times of what stands in a form so far. */
export function previewOf(cron: string, timeZone: string): Preview {
  const zone = timeZoneSchema.validate(timeZone.trim());
  if (zone.error || cronSchema.validate(cron.trim()).error) return { times: [], timeZone };
  const known = zone.value as string;
  return { times: nextTimes(cron, known, new Date(), TIMES_SHOWN), timeZone: known };
}

/** Names that a form offers. */
export async function targetNames({ tests, suites }: Definitions, projectId: string): Promise<string[]> {
  const filter = { projectId, isArchived: false };
  const pages = await Promise.all([suites, tests].map((one) => one.list(filter, { limit: NAMES_OFFERED })));
  return [...new Set(pages.flatMap(({ items }) => items.map(({ name }) => name)))];
}

async function targetIdOf(definitions: Definitions, projectId: string, kind: TargetKind, name = ''): Promise<string> {
  if (name === '') throw new InvalidInputError(`Enter the name of the ${kind}.`);
  const service = definitions[`${kind}s`];
  const found = await service.list({ projectId, isArchived: false, search: name }, { limit: SEARCHED });
  const exact = found.items.find((target) => target.name === name);
  if (exact) return exact._id;
  const all = await service.list({ projectId, isArchived: false }, { limit: SEARCHED });
  const close = closestName(
    name,
    all.items.map((target) => target.name),
  );
  throw new InvalidInputError(`No ${kind} has this name.${close === undefined ? '' : ` Did you mean “${close}”?`}`);
}

/** Puts what the schema says of the catch-up window at its field. */
function atFields<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const fields = error.fields.map(({ field, message }) =>
      field === 'catchUpMs' ? { field: 'catchUp', message: 'Enter a duration from 1m to 168h.' } : { field, message },
    );
    throw new InvalidInputError(error.message, { cause: error, fields });
  }
}
