/** The pool of tests without one. It cannot be deleted. */
export const DEFAULT_POOL = 'default';

/** A named group of runners, and the projects that may use it. */
export interface Pool {
  /** Its name. */
  _id: string;
  description: string;
  /** Ids; `all` includes projects created later. */
  projects: 'all' | string[];
  /** Created by setup and not changed by an admin: setup may open it to more projects. */
  isOfSetup?: boolean;
  /** From 1, incremented by every change of an admin. */
  revision: number;
  createdAt: Date;
  modifiedAt: Date;
}

export type PoolSettings = Pick<Pool, 'description' | 'projects'>;

/** Whether a pool's record lets a project use it; without a record only the default pool is open, to all. */
export function isOpenTo(name: string, pool: Pick<Pool, 'projects'> | undefined, projectId: string): boolean {
  if (!pool) return name === DEFAULT_POOL;
  return pool.projects === 'all' || pool.projects.includes(projectId);
}

/** Why a project cannot use a pool. @param open names of the pools that it can use */
export function poolRefusal(name: string, open: readonly string[]): string {
  const choice =
    open.length === 0
      ? 'It has no pools; ask an admin to add one'
      : `Choose one of its pools (${open.join(', ')}), or ask an admin to add this one`;
  return `this project cannot use the pool "${name}". ${choice}`;
}
