import { setTimeout as sleep } from 'node:timers/promises';
import type { FindOptions, ReadConcernLike } from 'mongodb';
import type { Run } from '#src/domain/runs/run.js';
import { coalesce } from '#src/db/query/coalesce.js';
import type { Collections } from '#src/db/schema/collections.js';
import { durableRead } from '#src/db/connection/durable-read.js';
import { failedWrites, isDuplicate } from '#src/db/query/duplicate-key.js';

/** A run with this id is there already. */
export class DuplicateRunError extends Error {
  override name = 'DuplicateRunError';
}

/** Fields of a run that its caller is answered with. */
export type AnsweredRun = Pick<Run, '_id' | 'kind' | 'targetId' | 'status' | 'modified' | 'creation'>;

export interface RunInserter {
  /**
   * Commits one record (majority, journaled). Coalesced; one bad document fails its own caller only.
   * @throws DuplicateRunError, or the driver's error: then it is not known whether the record was made
   */
  insert(run: Run, expiresAt: number): Promise<void>;
  /**
   * The run as a majority has it, coalesced: no failover takes back what it returns.
   * @throws ExpiredError, or the driver's error
   */
  find(id: string, expiresAt: number): Promise<AnsweredRun | undefined>;
}

const ANSWERED = { kind: 1, targetId: 1, status: 1, modified: 1, creation: 1 };
const LOOK_MS = 1000;
const LOOK_AGAIN_MS = 20;

/**
 * What became of each document of a failed batch.
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

export function createRunInserter(collections: Collections): RunInserter {
  const insert = coalesce(async (documents: Run[]): Promise<(true | Error)[]> => {
    try {
      await collections.runs.insertMany(documents, { ordered: false });
      return documents.map(() => true);
    } catch (error) {
      return outcomes(error, documents.length);
    }
  });

  const look = (level: () => ReadConcernLike) =>
    coalesce(async (ids: string[]): Promise<(AnsweredRun | undefined)[]> => {
      const found = await collections.runs
        .find({ _id: { $in: [...new Set(ids)] } }, {
          projection: ANSWERED,
          readConcern: level(),
          maxTimeMS: LOOK_MS,
        } as FindOptions)
        .toArray();
      const byId = new Map(found.map((run) => [run._id, run as AnsweredRun]));
      return ids.map((id) => byId.get(id));
    });
  const durable = look(() => durableRead(collections.runs));
  const latest = look(() => 'local');

  async function find(id: string, expiresAt: number): Promise<AnsweredRun | undefined> {
    for (;;) {
      const run = await durable(id, expiresAt);
      // Inserted a moment ago by another call: the majority is about to have it, or a failover to remove it.
      if (run || !(await latest(id, expiresAt))) return run;
      await sleep(LOOK_AGAIN_MS);
    }
  }

  return { insert: async (run, expiresAt) => void (await insert(run, expiresAt)), find };
}
