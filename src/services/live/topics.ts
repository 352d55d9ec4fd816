import type { RunChange } from '#src/db/runs/run-changes.js';

/** A topic to watch: a run; a suite run with its tests; all runs of a project. */
export type Topic = `run:${string}` | `suite:${string}` | `project:${string}`;

/** The topics that a changed run belongs to. */
export function topicsOf({ _id, projectId, suiteRunId }: RunChange): Topic[] {
  return [
    `run:${_id}`,
    `suite:${_id}`,
    `project:${projectId}`,
    ...(suiteRunId === undefined ? [] : [`suite:${suiteRunId}` as const]),
  ];
}

/** The database queries that cover a set of topics. */
export interface Watched {
  runIds: string[];
  suiteRunIds: string[];
  projectIds: string[];
}

export function watchedOf(topics: Iterable<Topic>): Watched {
  const ids = { run: new Set<string>(), suite: new Set<string>(), project: new Set<string>() };
  for (const topic of topics) {
    const [kind, id] = topic.split(':') as [keyof typeof ids, string];
    ids[kind].add(id);
  }
  return {
    // Also read by ID, which cannot miss a change that was committed late.
    runIds: [...new Set([...ids.run, ...ids.suite])],
    suiteRunIds: [...ids.suite],
    projectIds: [...ids.project],
  };
}
