import type { RunChange } from '#src/db/runs/run-changes.js';

/** What can be watched: a run; a suite run with its tests; all runs of a project. */
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

/** What the database is asked for, so that nothing of these topics is missed. */
export interface Watched {
  /** Runs that are watched by their ids. */
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
    // By its id no change of a suite run can be missed, whenever it was committed.
    runIds: [...new Set([...ids.run, ...ids.suite])],
    suiteRunIds: [...ids.suite],
    projectIds: [...ids.project],
  };
}
