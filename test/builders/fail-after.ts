import type { Collections } from '#src/db/schema/collections.js';

/** Stands for a process that was killed at this point. */
export class KilledError extends Error {
  override name = 'KilledError';
}

const WRITES = ['insertOne', 'updateOne', 'updateMany', 'bulkWrite'];

/** Collections that fail after write number `last` (from 1). @param counted which calls are writes */
export function failAfter(collections: Collections, last: number, counted = WRITES): Collections {
  let writes = 0;
  const guarded = Object.entries(collections).map(([name, collection]) => {
    const proxy = new Proxy(collection, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        if (!counted.includes(String(property))) return value.bind(target);
        return async (...args: unknown[]) => {
          if (writes++ >= last) throw new KilledError();
          return value.apply(target, args);
        };
      },
    });
    return [name, proxy];
  });
  return Object.fromEntries(guarded) as Collections;
}
