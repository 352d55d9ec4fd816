import type { Collection } from 'mongodb';
import type { Run } from '#src/domain/runs/run.js';
import { TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';

const MAX_TIME_MS = 2000;

/** The state of runs that a worker executes, polled during an attempt. @throws the driver's error */
export async function readAttemptStates(
  runs: Collection<Run>,
  ids: string[],
): Promise<{ _id: string; seq: number; isStopRequested: boolean }[]> {
  const options = { projection: { seq: 1, stopRequestedAt: 1 }, maxTimeMS: MAX_TIME_MS };
  const found = await runs.find({ _id: { $in: ids } }, options).toArray();
  return found.map(({ _id, seq, stopRequestedAt }) => ({ _id, seq, isStopRequested: stopRequestedAt !== undefined }));
}

/** Requests the worker that executes a run to stop it. A repeated request keeps the first time. */
export async function requestStop(runs: Collection<Run>, id: string): Promise<void> {
  await runs.updateOne({ _id: id, status: { $nin: [...TERMINAL_STATUSES] }, stopRequestedAt: { $exists: false } }, [
    { $set: { stopRequestedAt: '$$NOW' } },
  ]);
}
