import { DEFAULT_POOL, isOpenTo, type Pool, type PoolSettings } from '#src/domain/pool.js';
import type { Collections } from '#src/db/schema/collections.js';
import { ignoreDuplicateKey } from '#src/db/query/duplicate-key.js';

const OPTIONS = { maxTimeMS: 2000 };
/** Longer, because it reads every definition. */
const MIGRATION = { maxTimeMS: 60_000 };

export type PoolStore = ReturnType<typeof createPoolStore>;

/** Pools and the projects that may use them. Each call throws the driver's error when the database does not answer in time. */
export function createPoolStore({ pools }: Pick<Collections, 'pools'>) {
  const find = async (name: string) => (await pools.findOne({ _id: name }, OPTIONS)) ?? undefined;
  return {
    find,
    /** By name. */
    list: (): Promise<Pool[]> => pools.find({}, OPTIONS).sort({ _id: 1 }).toArray(),
    /** Names of the pools that a project may use, in order. */
    async openTo(projectId: string) {
      const found = await pools.find({}, { ...OPTIONS, projection: { projects: 1 } }).toArray();
      const byName = new Map([[DEFAULT_POOL, undefined], ...found.map((pool) => [pool._id, pool] as const)]);
      return [...byName].flatMap(([name, pool]) => (isOpenTo(name, pool, projectId) ? [name] : [])).sort();
    },
    isOpen: async (name: string, projectId: string) => isOpenTo(name, await find(name), projectId),
    /** @returns false when the name already exists */
    insert: (name: string, settings: PoolSettings) => insertPool(pools, name, settings),
    /** Creates the pool if it is missing, or opens it to a project unless an admin has changed it. */
    async openBySetup(name: string, projectId: string) {
      if (await insertPool(pools, name, { description: '', projects: [projectId], isOfSetup: true })) return;
      const listed = { _id: name, isOfSetup: true, projects: { $ne: 'all' as const } };
      // The driver's types do not support a field that is an array or a string.
      await pools.updateOne(listed, { $addToSet: { projects: projectId } as never });
    },
    /** @returns the changed pool; undefined when it is missing or its revision has changed */
    replace: async (name: string, revision: number, settings: PoolSettings): Promise<Pool | undefined> =>
      (await pools.findOneAndUpdate(
        { _id: name, revision },
        { $set: settings, $currentDate: { modifiedAt: true }, $unset: { isOfSetup: '' }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )) ?? undefined,
    /** @returns false when it is missing or its revision has changed */
    remove: async (name: string, revision: number) =>
      (await pools.deleteOne({ _id: name, revision })).deletedCount === 1,
  };
}

/**
 * An upsert that matches no pool, because only an update can set times by the database's clock.
 * @returns false when the name already exists
 */
async function insertPool(
  pools: Collections['pools'],
  _id: string,
  fields: PoolSettings & Pick<Pool, 'isOfSetup'>,
): Promise<boolean> {
  const inserted = pools.updateOne(
    { _id, createdAt: { $exists: false } },
    { $set: { ...fields, revision: 1 }, $currentDate: { createdAt: true, modifiedAt: true } },
    { upsert: true },
  );
  return (await inserted.catch(ignoreDuplicateKey)) !== undefined;
}

/** Projects with a live test in a pool. */
export async function projectsUsing({ tests }: Pick<Collections, 'tests'>, name: string): Promise<string[]> {
  return tests.distinct('projectId', { 'definition.pool': name, archivedAt: { $exists: false } }, MIGRATION);
}

/**
 * Migration: creates records for pools that are in use without one. The default pool is open to all projects, others to
 * the projects whose tests use them. Runs once: the default pool's record, created last, marks it as done.
 */
export async function recordPools(collections: Pick<Collections, 'pools' | 'tests' | 'workers'>): Promise<void> {
  const { pools, tests, workers } = collections;
  if (await pools.findOne({ _id: DEFAULT_POOL }, OPTIONS)) return;
  const names = new Set([
    ...(await tests.distinct('definition.pool', {}, MIGRATION)),
    ...(await workers.distinct('pools', {}, OPTIONS)),
  ]);
  names.delete(DEFAULT_POOL);
  const record = (name: string, projects: Pool['projects']) =>
    insertPool(pools, name, { description: '', projects, isOfSetup: true });
  // Includes archived tests, which an import may restore.
  for (const name of names)
    await record(name, await tests.distinct('projectId', { 'definition.pool': name }, MIGRATION));
  await record(DEFAULT_POOL, 'all');
}
