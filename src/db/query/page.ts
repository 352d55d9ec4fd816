import type { Collection, Document, Filter, FindOptions, WithId } from 'mongodb';
import { MAX_COUNT, type Page, type PageRequest } from '#src/domain/page.js';
import { readCursor, writeCursor, type SortKey } from './page-cursor.js';

export interface PageQuery<T extends Document> {
  filter: Filter<T>;
  /** Fields that every document has; the last one is unique. */
  sort: readonly [SortKey, ...SortKey[]];
  /** Name or key of the index on the fields of the filter and the sort. */
  hint?: FindOptions['hint'];
  /** Must include the sort fields. */
  projection?: Document;
  /** In ms, for each of the two queries. */
  maxTimeMS?: number;
}

/**
 * A page of a list, found by the position of its first entry rather than by an offset: entries that are added or removed
 * meanwhile do not move others to another page.
 * @throws InvalidInputError for a cursor of another list, the driver's error when the database does not answer
 */
export async function readPage<T extends Document, Item extends Document = WithId<T>>(
  collection: Collection<T>,
  { filter, sort, hint, projection, maxTimeMS = 2000 }: PageQuery<T>,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const from = cursor === undefined ? undefined : readCursor(sort, cursor);
  const isBack = from?.isBack ?? false;
  const order = isBack ? sort.map((key) => ({ ...key, order: -key.order as 1 | -1 })) : sort;
  const options = { maxTimeMS, hint };
  const [found, count] = await Promise.all([
    collection
      .find<Item>(from ? ({ $and: [filter, beyond(order, from.values)] } as Filter<T>) : filter, {
        ...options,
        projection,
      })
      .sort(Object.fromEntries(order.map(({ field, order }) => [field, order])))
      // One more shows whether there is a next page.
      .limit(limit + 1)
      .toArray(),
    collection.countDocuments(filter, { ...options, limit: MAX_COUNT }),
  ]);
  const hasMore = found.length > limit;
  const items = found.slice(0, limit);
  if (isBack) items.reverse();
  const [first, last] = [items[0], items.at(-1)];
  // The page that the caller came from always exists.
  return {
    count,
    items,
    ...(last && (isBack || hasMore) ? { next: writeCursor(sort, last, false) } : {}),
    ...(first && (isBack ? hasMore : from !== undefined) ? { previous: writeCursor(sort, first, true) } : {}),
  };
}

/** Matches the documents after these values in sort order. */
function beyond(sort: readonly SortKey[], values: readonly unknown[]): Document {
  const operator = (index: number) => (sort[index]!.order === 1 ? '$gt' : '$lt');
  const alternatives = sort.map(({ field }, index) => ({
    ...Object.fromEntries(sort.slice(0, index).map((before, place) => [before.field, values[place]])),
    [field]: { [operator(index)]: values[index] },
  }));
  // The separate bound on the first field lets MongoDB start the index scan there.
  return { [sort[0]!.field]: { [`${operator(0)}e`]: values[0] }, $or: alternatives };
}
