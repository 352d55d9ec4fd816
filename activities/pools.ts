export interface PoolActivities {
  /**
   * Whether a worker that serves a pool is alive, and how long ago any gave its last sign of life, in ms (absent: no
   * worker of that pool was ever seen).
   */
  findRunner(input: { pool: string }): Promise<{ alive: boolean; seenAgoMs?: number }>;
}
