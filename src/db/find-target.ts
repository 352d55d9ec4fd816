import type { Document } from 'mongodb';
import type { SuiteDefinition, TestDefinition } from '../domain/definitions.js';
import type { RunKind } from '../domain/run.js';
import { coalesce } from './coalesce.js';
import type { Collections } from './collections.js';

/** What the trigger path needs of a test or suite. */
export interface FoundTarget {
  _id: string;
  projectId: string;
  name: string;
  revision: number;
  definition: TestDefinition | SuiteDefinition;
}

/** The hot look-ups of the trigger path, each coalesced with those of its neighbours. */
export interface TargetFinder {
  /** The project of a live token, by the token's hash. */
  projectOfToken(hash: string, expiresAt: number): Promise<string | undefined>;
  /** A test or suite that is not archived. */
  target(kind: RunKind, id: string, expiresAt: number): Promise<FoundTarget | undefined>;
}

const MAX_TIME_MS = 1000;
const TARGET_FIELDS = { projectId: 1, name: 1, revision: 1, definition: 1 };

/** Answers keys in order from the documents found, by `_id`. */
function inOrder<T extends { _id: string }>(ids: string[], found: T[]): (T | undefined)[] {
  const byId = new Map(found.map((document) => [document._id, document]));
  return ids.map((id) => byId.get(id));
}

/** Every look-up throws the driver's error when the database does not answer in time. */
export function createTargetFinder(collections: Collections): TargetFinder {
  const tokens = coalesce(async (hashes: string[]) => {
    const found = await collections.webhookTokens
      .find(
        { _id: { $in: [...new Set(hashes)] }, revokedAt: { $exists: false } },
        { projection: { projectId: 1 }, maxTimeMS: MAX_TIME_MS },
      )
      .toArray();
    return inOrder(hashes, found);
  });

  const targets = (name: 'tests' | 'suites') =>
    coalesce(async (ids: string[]) => {
      const filter: Document = { _id: { $in: [...new Set(ids)] }, archivedAt: { $exists: false } };
      const options = { projection: TARGET_FIELDS, maxTimeMS: MAX_TIME_MS };
      const found =
        name === 'tests'
          ? await collections.tests.find(filter, options).toArray()
          : await collections.suites.find(filter, options).toArray();
      return inOrder<FoundTarget>(ids, found);
    });
  const finders = { test: targets('tests'), suite: targets('suites') };

  return {
    projectOfToken: async (hash, expiresAt) => (await tokens(hash, expiresAt))?.projectId,
    target: (kind, id, expiresAt) => finders[kind](id, expiresAt),
  };
}
