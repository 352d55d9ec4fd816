import type { Run } from '../domain/run.js';
import { coalesce } from './coalesce.js';
import type { Collections } from './collections.js';
import { failedWrites, isDuplicate } from './duplicate-key.js';

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
  /** The run as it is now, coalesced. */
  find(id: string, expiresAt: number): Promise<AnsweredRun | undefined>;
}

/**
 * What became of each document of a failed batch.
 * @throws the failure itself when it concerns the batch as a whole
 */
function outcomes(error: unknown, size: number): (true | Error)[] {
  const results: (true | Error)[] = Array.from({ length: size }, () => true);
  for (const failed of failedWrites(error)) {
    results[failed.index] = isDuplicate(failed)
      ? new DuplicateRunError('the run is there already')
      : new Error(`MongoDB refused the record (code ${failed.code})`, { cause: error });
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

  const find = coalesce(async (ids: string[]): Promise<(AnsweredRun | undefined)[]> => {
    const found = await collections.runs
      .find(
        { _id: { $in: [...new Set(ids)] } },
        { projection: { kind: 1, targetId: 1, status: 1, modified: 1, creation: 1 }, maxTimeMS: 1000 },
      )
      .toArray();
    const byId = new Map(found.map((run) => [run._id, run as AnsweredRun]));
    return ids.map((id) => byId.get(id));
  });

  return { insert: async (run, expiresAt) => void (await insert(run, expiresAt)), find };
}
