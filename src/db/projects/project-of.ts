import type { Collection } from 'mongodb';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { Collections } from '#src/db/schema/collections.js';

const OPTIONS = { projection: { projectId: 1 }, maxTimeMS: 2000 };

/** Resources of a project that have a URL of their own. */
export type OwnedKind = ProjectItemKind | 'testRun' | 'suiteRun' | 'run' | 'variableSet';

/** The project of a test, suite, schedule, run or variable set. @throws the driver's error when the database does not answer in time */
export async function projectOf(
  { tests, suites, runs, variableSets, schedules }: Collections,
  kind: OwnedKind,
  id: string,
): Promise<string | undefined> {
  const kinds = {
    testRun: { kind: 'test' },
    suiteRun: { kind: 'suite' },
    test: {},
    suite: {},
    run: {},
    variableSet: {},
    schedule: {},
  } as const;
  const ofRuns = { testRun: runs, suiteRun: runs, run: runs };
  const collection = { test: tests, suite: suites, variableSet: variableSets, schedule: schedules, ...ofRuns }[kind];
  const owned = collection as unknown as Collection<{ _id: string; projectId: string }>;
  return (await owned.findOne({ _id: id, ...kinds[kind] }, OPTIONS))?.projectId;
}
