import type { RunStep } from '#src/domain/runs/run-step.js';
import type { Collections } from '#src/db/schema/collections.js';

/** More than an attempt can have. */
const LISTED_MAX = 5000;

/** Inserts steps; existing ones stay unchanged. @throws the driver's error */
export async function insertRunSteps(
  { runSteps }: Pick<Collections, 'runSteps'>,
  steps: readonly RunStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await runSteps.bulkWrite(
    steps.map((step) => ({ updateOne: { filter: { _id: step._id }, update: { $setOnInsert: step }, upsert: true } })),
    { ordered: false },
  );
}

/** The steps of a delivery of an attempt, in order. @throws the driver's error when the database does not answer in time */
export function runStepsOf(
  { runSteps }: Pick<Collections, 'runSteps'>,
  runId: string,
  { attempt, delivery }: { attempt: number; delivery: number },
): Promise<RunStep[]> {
  return runSteps
    .find({ runId, attempt, delivery }, { maxTimeMS: 2000, hint: 'steps_of_run' })
    .sort({ runId: 1, attempt: 1, delivery: 1, number: 1 })
    .limit(LISTED_MAX)
    .toArray();
}
