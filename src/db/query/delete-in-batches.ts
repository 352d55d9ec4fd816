import type { Collection, Document, Filter } from 'mongodb';

export interface BatchOptions {
  /** Documents in one delete: few enough for it to stay far below the time that an operation may take. */
  size: number;
  /** Called between two deletes, for a pause and a sign of life. */
  onBatch?: () => Promise<void>;
}

/**
 * Deletes what a filter matches, in batches by id: an index must serve the filter. May be stopped and repeated.
 * @throws the driver's error; what `onBatch` throws
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
