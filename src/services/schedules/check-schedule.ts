import type { Collections } from '#src/db/schema/collections.js';
import { createVariableSetStore } from '#src/db/variables/variable-set-store.js';
import { createSuiteStore, createTestStore } from '#src/db/targets/target-store.js';
import { invalidField } from '#src/domain/errors.js';
import { newSchedule } from '#src/domain/schedules/schedule-fields.js';
import { targetOf, type ScheduleDefinition } from '#src/domain/schedules/schedule.js';

/** @throws InvalidInputError when the target or the variable set of a schedule does not exist in its project */
export async function checkSchedule(
  collections: Pick<Collections, 'tests' | 'suites' | 'testRevisions' | 'changeNumbers' | 'variableSets'>,
  projectId: string,
  schedule: ScheduleDefinition,
): Promise<void> {
  // Changed fields may conflict with each other. The time zone is not checked again: a schedule with one that only an
  // earlier version accepted must remain editable, for example to be paused.
  const { error } = newSchedule.validate(
    { name: 'any', ...schedule, timeZone: 'UTC' },
    { errors: { wrap: { label: false } } },
  );
  if (error) throw invalidField(String(error.details[0]?.path[0] ?? 'testId'), error.message);
  const { kind, id } = targetOf(schedule);
  const target = await (kind === 'test' ? createTestStore(collections) : createSuiteStore(collections)).find(id);
  if (target?.projectId !== projectId || target.archivedAt)
    throw invalidField(`${kind}Id`, `${kind}Id: this project has no ${kind} with the ID ${id}`);
  const { runProfileId } = schedule;
  if (runProfileId === undefined) return;
  const variableSet = await createVariableSetStore(collections).find(runProfileId);
  if (variableSet?.projectId !== projectId)
    throw invalidField('runProfileId', 'runProfileId must be the ID of a variable set of this project');
}
