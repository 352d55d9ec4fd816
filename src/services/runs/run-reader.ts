import type { Collections } from '#src/db/schema/collections.js';
import { createRunQueries, type RunQueries } from '#src/db/runs/read-runs.js';
import { NotFoundError } from '#src/domain/errors.js';
import { isUuid } from '#src/domain/ids.js';
import type { Run } from '#src/domain/runs/run.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

/** A run and the name of its project. */
export interface FoundRun {
  run: Run;
  projectName: string;
}

export type RunReader = ReturnType<typeof createRunReader>;

/** Reads for pages. Each throws UnavailableError when the database does not respond. */
export function createRunReader(collections: Collections) {
  const queries = createRunQueries(collections);
  return {
    /** @throws NotFoundError */
    find: (runId: string) => withinResponseTime(SERVICE_RESPONSE_MS, () => find(queries, runId)),
    /** The name of the run's target; undefined when the run does not exist. */
    nameOf: (runId: string) => withinResponseTime(SERVICE_RESPONSE_MS, () => queries.nameOfRun(runId)),
    /** Also for a deleted project. */
    projectName: (projectId: string) =>
      withinResponseTime(SERVICE_RESPONSE_MS, async () => nameOf(await queries.projectNames([projectId]), projectId)),
  };
}

async function find(queries: RunQueries, runId: string): Promise<FoundRun> {
  const id = runId.toLowerCase();
  const run = isUuid(id) ? await queries.find(id) : undefined;
  if (!run) throw new NotFoundError('No run has this ID.');
  const names = await queries.projectNames([run.projectId]);
  return { run, projectName: nameOf(names, run.projectId) };
}

/** Runs of a deleted project stay until their retention. */
function nameOf(names: Map<string, string>, projectId: string): string {
  return names.get(projectId) ?? '(deleted project)';
}
