import type { Collections } from '../../db/collections.js';
import { createProfileStore } from '../../db/profiles.js';
import { createTargetStore, type Target } from '../../db/targets.js';
import { InvalidInputError } from '../../domain/errors.js';
import { newSchedule } from '../../domain/schedule-fields.js';
import { targetOf, type ScheduleDefinition } from '../../domain/schedule.js';

/** @throws InvalidInputError when a schedule starts what is no live test or suite of its project, or names no profile of it */
export async function checkSchedule(
  collections: Pick<Collections, 'tests' | 'suites' | 'schedules' | 'testRevisions' | 'changeNumbers' | 'profiles'>,
  projectId: string,
  definition: Target['definition'],
): Promise<void> {
  const schedule = definition as ScheduleDefinition;
  // Changed fields may not fit together. The time zone was checked when it was sent: an earlier version accepted others,
  // and such a schedule can be paused.
  const { error } = newSchedule.validate(
    { name: 'any', ...schedule, timeZone: 'UTC' },
    { errors: { wrap: { label: false } } },
  );
  if (error) throw wrong(String(error.details[0]?.path[0] ?? 'testId'), error.message);
  const { kind, id } = targetOf(schedule);
  const target = await createTargetStore(collections, kind).find(id);
  if (target?.projectId !== projectId || target.archivedAt)
    throw wrong(`${kind}Id`, `${kind}Id: this project has no ${kind} ${id}`);
  const { runProfileId } = schedule;
  if (runProfileId === undefined) return;
  const profile = await createProfileStore(collections).find(runProfileId);
  if (profile?.projectId !== projectId) throw wrong('runProfileId', 'runProfileId is no profile of this project');
}

function wrong(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { fields: [{ field, message }] });
}
