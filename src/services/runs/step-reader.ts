import type { RunStep } from '#src/domain/runs/run-step.js';
import type { TestRun } from '#src/domain/runs/run.js';

/** Reads the steps of one delivery of an attempt. */
export type ReadSteps = (runId: string, of: { attempt: number; delivery: number }) => Promise<RunStep[]>;

/** Reads the steps of the last attempt, or of the given one. Commands have no steps, which saves the query. */
export function createStepReader(read: ReadSteps) {
  return async ({ _id, definition, attempts }: TestRun, number?: number): Promise<RunStep[]> => {
    if (definition.runner === 'command') return [];
    const attempt = number === undefined ? attempts.at(-1) : attempts.find((one) => one.number === number);
    return attempt ? read(_id, { attempt: attempt.number, delivery: attempt.delivery }) : [];
  };
}
