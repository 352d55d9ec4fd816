import type { Collections } from '../db/collections.js';
import { createRunQueries, type RunQueries } from '../db/read-runs.js';
import { NotFoundError } from '../domain/errors.js';
import { isUuid } from '../domain/ids.js';
import type { LogLine } from '../domain/log-line.js';
import type { Run } from '../domain/run.js';
import { SERVICE_ANSWER_MS, withinAnswerTime } from './within-answer-time.js';

const LOG_MAX = { lines: 5000, characters: 2_000_000 };

/** What the page of a run shows. */
export interface RunDetails {
  run: Run;
  projectName: string;
  /** Of a test run: the first lines of its log, in order. */
  log: LogLine[];
  logIsLonger: boolean;
  /** Of a suite's test run. */
  suiteName?: string;
}

/** A run and the name of its project. */
export interface FoundRun {
  run: Run;
  projectName: string;
}

export interface RunSummary {
  id: string;
  kind: Run['kind'];
  projectName: string;
  targetName: string;
  status: Run['status'];
  queuedAt: Date;
  startedAt?: Date;
  endedAt?: Date;
}

/** Reads for pages. Each throws UnavailableError when the database does not answer. */
export interface RunReader {
  /** @throws NotFoundError */
  find(runId: string): Promise<FoundRun>;
  /** Its target's name; undefined, it is gone. */
  nameOf(runId: string): Promise<string | undefined>;
  /** @throws NotFoundError */
  details(runId: string): Promise<RunDetails>;
  /** The newest runs that are not a suite's tests. @param projectIds of these projects only; undefined, of all */
  latest(limit: number, projectIds?: string[]): Promise<RunSummary[]>;
}

export function createRunReader(collections: Collections): RunReader {
  const queries = createRunQueries(collections);
  return {
    find: (runId) => withinAnswerTime(SERVICE_ANSWER_MS, () => find(queries, runId)),
    nameOf: (runId) => withinAnswerTime(SERVICE_ANSWER_MS, () => queries.nameOfRun(runId)),
    details: (runId) => withinAnswerTime(SERVICE_ANSWER_MS, () => details(queries, runId)),
    latest: (limit, projectIds) => withinAnswerTime(SERVICE_ANSWER_MS, () => latest(queries, limit, projectIds)),
  };
}

async function find(queries: RunQueries, runId: string): Promise<FoundRun> {
  const id = runId.toLowerCase();
  const run = isUuid(id) ? await queries.find(id) : undefined;
  if (!run) throw new NotFoundError('There is no run with this id.');
  const names = await queries.projectNames([run.projectId]);
  return { run, projectName: nameOf(names, run.projectId) };
}

async function details(queries: RunQueries, runId: string): Promise<RunDetails> {
  const id = runId.toLowerCase();
  const run = isUuid(id) ? await queries.find(id) : undefined;
  if (!run) throw new NotFoundError('There is no run with this id.');
  const [names, about] = await Promise.all([
    queries.projectNames([run.projectId]),
    run.kind === 'test' ? aboutTest(queries, run) : { log: [], logIsLonger: false },
  ]);
  return { run, projectName: nameOf(names, run.projectId), ...about };
}

async function aboutTest(queries: RunQueries, run: Run & { kind: 'test' }) {
  const [log, suiteName] = await Promise.all([
    queries.log(run._id, LOG_MAX),
    run.suiteRunId ? queries.nameOfRun(run.suiteRunId) : undefined,
  ]);
  return { log: log.lines, logIsLonger: log.isLonger, ...(suiteName ? { suiteName } : {}) };
}

async function latest(queries: RunQueries, limit: number, projectIds?: string[]): Promise<RunSummary[]> {
  const runs = await queries.newest(limit, projectIds);
  const names = await queries.projectNames(runs.map((run) => run.projectId));
  return runs.map(({ _id, projectId, ...run }) => ({ id: _id, projectName: nameOf(names, projectId), ...run }));
}

/** A project may have been removed; its runs stay until their retention. */
function nameOf(names: Map<string, string>, projectId: string): string {
  return names.get(projectId) ?? '(removed project)';
}
