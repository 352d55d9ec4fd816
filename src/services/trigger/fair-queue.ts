/** A queue that takes turns among projects: one project's flood does not hold back another's single run. */
export interface FairQueue<T> {
  readonly size: number;
  /** How many of the project's items are in it. */
  sizeOf(projectId: string): number;
  push(projectId: string, item: T): void;
  /** The next item of the project whose turn it is. */
  shift(): T | undefined;
  /** Takes everything out. */
  drain(): T[];
}

export function createFairQueue<T>(): FairQueue<T> {
  // A Map keeps the order of insertion: the first key is the project whose turn it is.
  const byProject = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (projectId) => byProject.get(projectId)?.length ?? 0,
    push(projectId, item) {
      size++;
      const items = byProject.get(projectId);
      if (items) items.push(item);
      else byProject.set(projectId, [item]);
    },
    shift() {
      const turn = byProject.entries().next().value;
      if (!turn) return undefined;
      const [projectId, items] = turn;
      size--;
      byProject.delete(projectId);
      const item = items.shift();
      if (items.length > 0) byProject.set(projectId, items);
      return item;
    },
    drain() {
      const all = [...byProject.values()].flat();
      byProject.clear();
      size = 0;
      return all;
    },
  };
}
