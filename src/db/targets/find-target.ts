import type { Document } from 'mongodb';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import type { WebhookToken } from '#src/domain/records.js';
import { coalesce } from '#src/db/query/coalesce.js';
import type { Collections } from '#src/db/schema/collections.js';

/** The fields of a test or suite that the trigger path needs. */
export interface FoundTarget {
  _id: string;
  projectId: string;
  name: string;
  revision: number;
  definition: TestDefinition | SuiteDefinition;
  /** For suites: the project's change number (see change-numbers.ts). */
  changeNumber?: number;
}

/** The fields of a webhook token that the trigger path needs. */
export type FoundToken = Pick<WebhookToken, '_id' | 'projectId' | 'expiresAt' | 'allowedNetworks' | 'lastUsedAt'>;

export type TargetFinder = ReturnType<typeof createTargetFinder>;

const MAX_TIME_MS = 1000;
const TOKEN_FIELDS = { projectId: 1, expiresAt: 1, allowedNetworks: 1, lastUsedAt: 1 };
const TARGET_FIELDS = { projectId: 1, name: 1, revision: 1, definition: 1 };

/** The documents in the order of `ids`. */
function inOrder<T extends { _id: string }>(ids: string[], found: T[]): (T | undefined)[] {
  const byId = new Map(found.map((document) => [document._id, document]));
  return ids.map((id) => byId.get(id));
}

/**
 * The lookups of the trigger path; concurrent ones are coalesced.
 * Each lookup throws the driver's error when the database does not answer in time.
 */
export function createTargetFinder(collections: Collections) {
  const tokens = coalesce(async (hashes: string[]) => {
    const found = await collections.webhookTokens
      .find(
        { _id: { $in: [...new Set(hashes)] }, revokedAt: { $exists: false } },
        { projection: TOKEN_FIELDS, maxTimeMS: MAX_TIME_MS },
      )
      .toArray();
    return inOrder<FoundToken>(hashes, found);
  });

  const live = (ids: string[]): Document => ({ _id: { $in: [...new Set(ids)] }, archivedAt: { $exists: false } });

  const tests = coalesce(async (ids: string[]) => {
    const options = { projection: TARGET_FIELDS, maxTimeMS: MAX_TIME_MS };
    return inOrder<FoundTarget>(ids, await collections.tests.find(live(ids), options).toArray());
  });

  // In one query with the change number, to keep the trigger path fast.
  const suites = coalesce(async (ids: string[]) => {
    const found = collections.suites.aggregate<FoundTarget>(
      [
        { $match: live(ids) },
        {
          $lookup: {
            from: collections.changeNumbers.collectionName,
            localField: 'projectId',
            foreignField: '_id',
            as: 'changes',
          },
        },
        { $project: { ...TARGET_FIELDS, changeNumber: { $ifNull: [{ $first: '$changes.value' }, 0] } } },
      ],
      { maxTimeMS: MAX_TIME_MS },
    );
    return inOrder(ids, await found.toArray());
  });
  const finders = { test: tests, suite: suites };

  return {
    /** A token that is not revoked, by its hash; `isOpenTo` checks expiry and networks. */
    token: tokens,
    /** A test or suite that is not archived. */
    target: (kind: TargetKind, id: string, expiresAt: number) => finders[kind](id, expiresAt),
  };
}
