/** A queue with round-robin order among projects: the backlog of one project does not delay another project's run. */
export interface FairQueue<T> {
  readonly size: number;
  /** Number of queued items of a project. */
  sizeOf(projectId: string): number;
  push(projectId: string, item: T): void;
  /** Removes the next item of the next project. */
  shift(): T | undefined;
  /** Removes all items. */
  drain(): T[];
}

export function createFairQueue<T>(): FairQueue<T> {
  // A Map is ordered by insertion: the first key is the next project.
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
