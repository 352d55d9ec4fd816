import type { Collection, Document, Filter } from 'mongodb';

export interface BatchOptions {
  /** Documents per delete; keep it small enough for the operation timeout. */
  size: number;
  /** Called between deletes, for example to pause or to send a heartbeat. */
  onBatch?: () => Promise<void>;
}

/**
 * Deletes the matching documents in batches. The filter needs an index. Can be interrupted and repeated.
 * @throws the driver's error, or the error of `onBatch`
 */
export async function deleteInBatches<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  { size, onBatch = async () => {} }: BatchOptions,
): Promise<void> {
  for (let found = size; found === size;) {
    const documents = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(size)
      .toArray();
    found = documents.length;
    if (found > 0) await collection.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } } as Filter<T>);
    if (found === size) await onBatch();
  }
}
