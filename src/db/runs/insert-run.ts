import { setTimeout as sleep } from 'node:timers/promises';
import type { FindOptions, ReadConcernLike } from 'mongodb';
import type { Run } from '#src/domain/runs/run.js';
import { coalesce } from '#src/db/query/coalesce.js';
import type { Collections } from '#src/db/schema/collections.js';
import { durableRead } from '#src/db/connection/durable-read.js';
import { failedWrites, isDuplicate } from '#src/db/query/duplicate-key.js';

/** A run with this id already exists. */
export class DuplicateRunError extends Error {
  override name = 'DuplicateRunError';
}

/** Fields of a run in the response to its trigger. */
export type AnsweredRun = Pick<Run, '_id' | 'kind' | 'targetId' | 'status' | 'modified' | 'creation'>;

export type RunInserter = ReturnType<typeof createRunInserter>;

const ANSWERED = { kind: 1, targetId: 1, status: 1, modified: 1, creation: 1 };
const MAX_TIME_MS = 1000;
const POLL_MS = 20;

/**
 * The result of each document of a failed batch.
 * @throws the failure itself when it concerns the batch as a whole
 */
function outcomes(error: unknown, size: number): (true | Error)[] {
  const results: (true | Error)[] = Array.from({ length: size }, () => true);
  for (const failed of failedWrites(error)) {
    results[failed.index] = isDuplicate(failed)
      ? new DuplicateRunError('the run already exists')
      : new Error(`MongoDB rejected the run record (code ${failed.code})`, { cause: error });
  }
  return results;
}

export function createRunInserter(collections: Collections) {
  const insert = coalesce(async (documents: Run[]): Promise<(true | Error)[]> => {
    try {
      await collections.runs.insertMany(documents, { ordered: false });
      return documents.map(() => true);
    } catch (error) {
      return outcomes(error, documents.length);
    }
  });

  const lookup = (level: () => ReadConcernLike) =>
    coalesce(async (ids: string[]): Promise<(AnsweredRun | undefined)[]> => {
      const found = await collections.runs
        .find({ _id: { $in: [...new Set(ids)] } }, {
          projection: ANSWERED,
          readConcern: level(),
          maxTimeMS: MAX_TIME_MS,
        } as FindOptions)
        .toArray();
      const byId = new Map(found.map((run) => [run._id, run as AnsweredRun]));
      return ids.map((id) => byId.get(id));
    });
  const durable = lookup(() => durableRead(collections.runs));
  const latest = lookup(() => 'local');

  async function find(id: string, expiresAt: number): Promise<AnsweredRun | undefined> {
    for (;;) {
      const run = await durable(id, expiresAt);
      // Just inserted by another call: it will be majority-committed, or rolled back by a failover.
      if (run || !(await latest(id, expiresAt))) return run;
      await sleep(POLL_MS);
    }
  }

  return {
    /**
     * Commits one record (majority, journaled). Coalesced; an invalid document fails only its own caller.
     * @throws DuplicateRunError, or the driver's error: the record may then exist or not
     */
    insert: async (run: Run, expiresAt: number): Promise<void> => void (await insert(run, expiresAt)) /**
     * The majority-committed run, coalesced: a failover cannot roll it back.
     * @throws ExpiredError, or the driver's error
     */,
    find,
  };
}
