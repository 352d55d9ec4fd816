import type { RunQueries } from '#src/db/runs/read-runs.js';
import { NotFoundError } from '#src/domain/errors.js';
import type { Run, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';

/** Finds a run of a kind. @throws NotFoundError when it was deleted after authorization */
export async function findRun(queries: Pick<RunQueries, 'find'>, kind: 'test', id: string): Promise<TestRun>;
export async function findRun(queries: Pick<RunQueries, 'find'>, kind: 'suite', id: string): Promise<SuiteRun>;
export async function findRun(queries: Pick<RunQueries, 'find'>, kind: Run['kind'], id: string): Promise<Run>;
export async function findRun(queries: Pick<RunQueries, 'find'>, kind: Run['kind'], id: string): Promise<Run> {
  const run = await queries.find(id);
  if (run?.kind !== kind) throw new NotFoundError(RESOURCE_NOT_FOUND);
  return run;
}
