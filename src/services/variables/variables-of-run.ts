import type { Collections } from '../../db/collections.js';
import { createProfileStore } from '../../db/profiles.js';
import type { TestRun, RunBase } from '../../domain/run.js';
import { openVariables, VariablesUnreadableError, type OpenVariables } from './open-variables.js';

/** Suite runs whose variables are kept in memory: those that are open have the next test soon. */
const CACHED_SUITES = 100;

type Given = Pick<RunBase, 'variables' | 'profileId' | 'profileName'>;

/**
 * The variables of a test run, from the database: they go through nothing else. The project's default profile, the
 * chosen one, and the run's own (of a suite's test: its suite run's), in this order; the later ones win.
 * @returns how to read them (`unreadable`: why that is not possible); it throws the driver's error when the database does
 *   not answer
 */
export function createVariablesOfRun(
  collections: Pick<Collections, 'profiles' | 'runs'>,
  secretKeys: readonly Buffer[],
): (run: TestRun) => Promise<OpenVariables | { unreadable: string }> {
  const profiles = createProfileStore(collections);
  const ofSuites = new Map<string, Given>();

  /** What a suite run was given does not change. */
  async function ofSuite(suiteRunId: string): Promise<Given> {
    const cached = ofSuites.get(suiteRunId);
    if (cached) return cached;
    const fields = { variables: 1, profileId: 1, profileName: 1 };
    const { variables, profileId, profileName } =
      (await collections.runs.findOne({ _id: suiteRunId }, { projection: fields })) ?? {};
    const given = { variables, profileId, profileName } as Given;
    if (ofSuites.size >= CACHED_SUITES) ofSuites.delete(ofSuites.keys().next().value!);
    ofSuites.set(suiteRunId, given);
    return given;
  }

  async function read(run: TestRun): Promise<OpenVariables> {
    const given = run.suiteRunId === undefined ? run : await ofSuite(run.suiteRunId);
    const found = await profiles.ofRun(run.projectId, given.profileId);
    if (given.profileId !== undefined && !found.some(({ _id }) => _id === given.profileId))
      throw new VariablesUnreadableError(
        `The profile "${given.profileName}" that was chosen for this run is removed. Choose another one.`,
      );
    return openVariables(secretKeys, [...found.map(({ variables }) => variables), given.variables ?? []]);
  }

  return (run) =>
    read(run).catch((error: unknown) => {
      if (error instanceof VariablesUnreadableError) return { unreadable: error.message };
      throw error;
    });
}
