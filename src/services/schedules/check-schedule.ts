import type { Collections } from '#src/db/schema/collections.js';
import { createVariableSetStore } from '#src/db/variables/variable-set-store.js';
import { createSuiteStore, createTestStore } from '#src/db/targets/target-store.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { newSchedule } from '#src/domain/schedules/schedule-fields.js';
import { targetOf, type ScheduleDefinition } from '#src/domain/schedules/schedule.js';

/** @throws InvalidInputError when a schedule starts what is no live test or suite of its project, or names no variable set of it */
export async function checkSchedule(
  collections: Pick<Collections, 'tests' | 'suites' | 'testRevisions' | 'changeNumbers' | 'variableSets'>,
  projectId: string,
  schedule: ScheduleDefinition,
): Promise<void> {
  // Changed fields may not fit together. The time zone was checked when it was sent: an earlier version accepted others,
  // and such a schedule can be paused.
  const { error } = newSchedule.validate(
    { name: 'any', ...schedule, timeZone: 'UTC' },
    { errors: { wrap: { label: false } } },
  );
  if (error) throw wrong(String(error.details[0]?.path[0] ?? 'testId'), error.message);
  const { kind, id } = targetOf(schedule);
  const target = await (kind === 'test' ? createTestStore(collections) : createSuiteStore(collections)).find(id);
  if (target?.projectId !== projectId || target.archivedAt)
    throw wrong(`${kind}Id`, `${kind}Id: this project has no ${kind} with the id ${id}`);
  const { runProfileId } = schedule;
  if (runProfileId === undefined) return;
  const variableSet = await createVariableSetStore(collections).find(runProfileId);
  if (variableSet?.projectId !== projectId)
    throw wrong('runProfileId', 'runProfileId must be the ID of a variable set of this project');
}

function wrong(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { fields: [{ field, message }] });
}
