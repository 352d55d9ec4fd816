import type { Collection, Document, Filter, FindOptions } from 'mongodb';
import type { KeysetPage, KeysetRequest } from '../domain/keyset.js';

/** Names and directions of the fields that order a list; together they are unique. */
export type KeysetOrder = readonly (readonly [field: string, direction: 1 | -1])[];

/** Reads one page of a list; needs an index in the list's order. @throws the driver's error */
export async function keysetPage<T extends Document>(
  collection: Collection<T>,
  filter: Document,
  order: KeysetOrder,
  { limit, from }: KeysetRequest,
  options: FindOptions,
): Promise<KeysetPage<T>> {
  const sign = from?.backwards ? -1 : 1;
  const directed = order.map(([field, direction]) => [field, (direction * sign) as 1 | -1] as const);
  const found = (await collection
    .find({ ...filter, ...(from ? beyond(directed, from.key) : {}) } as Filter<T>, options)
    .sort(Object.fromEntries(directed))
    .limit(limit + 1)
    .toArray()) as T[];
  const rows = found.slice(0, limit);
  const isLonger = found.length > limit;
  if (from?.backwards) return { rows: rows.reverse(), hasPrevious: isLonger, hasNext: true };
  return { rows, hasPrevious: from !== undefined, hasNext: isLonger };
}

/** Rows behind a key: beyond its first field, or equal in it and beyond in the next, and so on. */
function beyond(order: KeysetOrder, key: readonly unknown[]): Document {
  return {
    $or: order.map(([field, direction], at) => ({
      ...Object.fromEntries(order.slice(0, at).map(([before], index) => [before, key[index]])),
      [field]: { [direction === 1 ? '$gt' : '$lt']: key[at] },
    })),
  };
}
