/** The pool of tests that specify none. It cannot be deleted. */
export const DEFAULT_POOL = 'default';

/** A named group of runners, and the projects that may use it. */
export interface Pool {
  /** Its name. */
  _id: string;
  description: string;
  /** Ids; `all` includes projects that are created later. */
  projects: 'all' | string[];
  /** Created by set-up and not changed by an admin since: set-up opens it to more of its projects. */
  isOfSetup?: boolean;
  /** From 1, up by one with every change of an admin. */
  revision: number;
  createdAt: Date;
  modifiedAt: Date;
}

/** What an admin sets of a pool. */
export type PoolSettings = Pick<Pool, 'description' | 'projects'>;

/** Whether a pool's record lets a project use it; without a record only the default pool is open, to all. */
export function isOpenTo(name: string, pool: Pick<Pool, 'projects'> | undefined, projectId: string): boolean {
  if (!pool) return name === DEFAULT_POOL;
  return pool.projects === 'all' || pool.projects.includes(projectId);
}

/** Why a project cannot use a pool, and which ones it can. @param open names of those */
export function poolRefusal(name: string, open: readonly string[]): string {
  const choice =
    open.length === 0
      ? 'It has no pools; ask an admin to add one'
      : `Choose one of its pools (${open.join(', ')}), or ask an admin to add this one`;
  return `this project cannot use the pool "${name}". ${choice}`;
}
