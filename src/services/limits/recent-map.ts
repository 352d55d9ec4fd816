/** A bounded map: where it is full, what was used least recently goes. */
export interface RecentMap<Value> {
  /** The value of a key, made if it is not there. */
  get(key: string, make: () => Value): Value;
  /** The value of a key, if it is there. */
  peek(key: string): Value | undefined;
}

/** @param size most entries */
export function createRecentMap<Value>(size: number): RecentMap<Value> {
  const entries = new Map<string, Value>();
  return {
    get(key, make) {
      const value = entries.get(key) ?? make();
      // A map lists its keys in the order in which they were put.
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > size) entries.delete(entries.keys().next().value!);
      return value;
    },
    peek: (key) => entries.get(key),
  };
}
