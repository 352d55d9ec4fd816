import type { Collection, Filter, FindOptions } from 'mongodb';

/** The ids of matching documents. @throws the driver's error */
export function idsOf<T extends { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  options?: FindOptions,
): Promise<string[]> {
  const found = collection.find<{ _id: string }>(filter, { ...options, projection: { _id: 1 } });
  return found.map(({ _id }) => _id).toArray();
}
