import type { Collection } from 'mongodb';
import type { Collections } from './collections.js';

const OPTIONS = { projection: { projectId: 1 }, maxTimeMS: 2000 };

/** What belongs to a project and has an address of its own. */
export type OwnedKind = 'test' | 'suite' | 'testRun' | 'suiteRun' | 'run' | 'profile' | 'schedule';

/** The project of a test, suite, schedule, run or profile. @throws the driver's error when the database does not answer in time */
export async function projectOf(
  { tests, suites, runs, profiles, schedules }: Collections,
  kind: OwnedKind,
  id: string,
): Promise<string | undefined> {
  const kinds = {
    testRun: { kind: 'test' },
    suiteRun: { kind: 'suite' },
    test: {},
    suite: {},
    run: {},
    profile: {},
    schedule: {},
  } as const;
  const ofRuns = { testRun: runs, suiteRun: runs, run: runs };
  const collection = { test: tests, suite: suites, profile: profiles, schedule: schedules, ...ofRuns }[kind];
  const owned = collection as unknown as Collection<{ _id: string; projectId: string }>;
  return (await owned.findOne({ _id: id, ...kinds[kind] }, OPTIONS))?.projectId;
}
