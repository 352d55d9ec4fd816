import QuickLRU from 'quick-lru';
import type { Collections } from '#src/db/schema/collections.js';
import { createVariableSetStore } from '#src/db/variables/variable-set-store.js';
import type { ErrorCode, RunBase, TestRun } from '#src/domain/runs/run.js';
import type { VariableSet } from '#src/domain/variables/variables.js';
import { openVariables, VariablesUnreadableError, type OpenVariables } from './open-variables.js';

/** Suite runs whose variables are kept in memory, as they are stored: those that are open have the next test soon. */
const CACHED_SUITES = 100;
/** How long, in ms: a change of a variable set reaches the tests of a suite that runs already. */
const CACHED_MS = 5000;

/** Why a run's variables cannot be read. */
export interface UnreadableVariables {
  unreadable: string;
  errorCode: Extract<ErrorCode, 'SECRETS_UNREADABLE' | 'VARIABLE_SET_MISSING'>;
}

class VariableSetMissingError extends Error {
  override name = 'VariableSetMissingError';
}

/** What a run's variables are made of, with secrets sealed. */
interface Sources {
  given: Pick<RunBase, 'variables' | 'profileId' | 'profileName'>;
  variableSets: VariableSet[];
}

/**
 * The variables of a test run, from the database: they go through nothing else. The project's default variable set, the
 * chosen one, and the run's own (of a suite's test: its suite run's), in this order; the later ones win.
 * @returns how to read them (`unreadable`: why that is not possible); it throws the driver's error when the database does
 *   not answer
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

  /** One look-up serves the tests of a suite that begin within some seconds. */
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
