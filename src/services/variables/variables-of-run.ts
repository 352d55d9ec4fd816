import QuickLRU from 'quick-lru';
import type { Collections } from '#src/db/schema/collections.js';
import { createVariableSetStore } from '#src/db/variables/variable-set-store.js';
import type { ErrorCode, RunBase, TestRun } from '#src/domain/runs/run.js';
import type { VariableSet } from '#src/domain/variables/variables.js';
import { openVariables, VariablesUnreadableError, type OpenVariables } from './open-variables.js';

/** Number of suite runs whose (encrypted) variables are cached for their next tests. */
const CACHED_SUITES = 100;
/** How long they are cached, in ms: changes of a variable set also apply to suite runs in progress. */
const CACHED_MS = 5000;

/** Why the variables of a run cannot be read. */
export interface UnreadableVariables {
  unreadable: string;
  errorCode: Extract<ErrorCode, 'SECRETS_UNREADABLE' | 'VARIABLE_SET_MISSING'>;
}

class VariableSetMissingError extends Error {
  override name = 'VariableSetMissingError';
}

/** Sources of a run's variables, with encrypted secrets. */
interface Sources {
  given: Pick<RunBase, 'variables' | 'profileId' | 'profileName'>;
  variableSets: VariableSet[];
}

/**
 * Reads the variables of a test run from the database, so that they pass through nothing else. Sources by precedence: the
 * run's own (for a test of a suite: its suite run's), the chosen variable set, the project's default one.
 * @returns a function; it throws the driver's error when the database does not respond
 */
export function createVariablesOfRun(
  collections: Pick<Collections, 'variableSets' | 'runs'>,
  secretKeys: readonly Buffer[],
): (run: TestRun) => Promise<OpenVariables | UnreadableVariables> {
  const store = createVariableSetStore(collections);
  const ofSuites = new QuickLRU<string, { readAt: number; sources: Promise<Sources> }>({ maxSize: CACHED_SUITES });

  async function find(given: Sources['given'], { projectId }: TestRun): Promise<Sources> {
    return { given, variableSets: await store.ofRun(projectId, given.profileId) };
  }

  async function findOfSuite(suiteRunId: string, run: TestRun): Promise<Sources> {
    const fields = { variables: 1, profileId: 1, profileName: 1 };
    return find((await collections.runs.findOne({ _id: suiteRunId }, { projection: fields })) ?? {}, run);
  }

  /** One query serves the tests of a suite that begin within CACHED_MS. */
  function cachedOfSuite(suiteRunId: string, run: TestRun): Promise<Sources> {
    const cached = ofSuites.get(suiteRunId);
    if (cached && performance.now() - cached.readAt < CACHED_MS) return cached.sources;
    const read = { readAt: performance.now(), sources: findOfSuite(suiteRunId, run) };
    ofSuites.set(suiteRunId, read);
    read.sources.catch(() => ofSuites.get(suiteRunId) === read && ofSuites.delete(suiteRunId));
    return read.sources;
  }

  async function read(run: TestRun): Promise<OpenVariables> {
    const { given, variableSets } = await (run.suiteRunId === undefined
      ? find(run, run)
      : cachedOfSuite(run.suiteRunId, run));
    if (given.profileId !== undefined && !variableSets.some(({ _id }) => _id === given.profileId))
      throw new VariableSetMissingError(
        `The variable set "${given.profileName}" of this run was deleted. Trigger the run again with a different one.`,
      );
    return openVariables(secretKeys, [...variableSets.map(({ variables }) => variables), given.variables ?? []]);
  }

  return (run) =>
    read(run).catch((error: unknown) => {
      if (error instanceof VariableSetMissingError)
        return { unreadable: error.message, errorCode: 'VARIABLE_SET_MISSING' };
      if (error instanceof VariablesUnreadableError)
        return { unreadable: error.message, errorCode: 'SECRETS_UNREADABLE' };
      throw error;
    });
}
