import { DEFAULT_POOL, isOpenTo, type Pool, type PoolSettings } from '#src/domain/pool.js';
import type { Collections } from '#src/db/schema/collections.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

const OPTIONS = { maxTimeMS: 2000 };
/** Reading every definition takes its time. */
const MIGRATION = { maxTimeMS: 60_000 };

/** Pools and the projects that may use them. Each call throws the driver's error when the database does not answer in time. */
export interface PoolStore {
  /** All of them, by name. */
  list(): Promise<Pool[]>;
  find(name: string): Promise<Pool | undefined>;
  /** Names of the pools that a project may use, in order. */
  openTo(projectId: string): Promise<string[]>;
  isOpen(name: string, projectId: string): Promise<boolean>;
  /** @returns false when there is one of this name */
  insert(name: string, settings: PoolSettings): Promise<boolean>;
  /** Opens a pool to a project if set-up has created it and no admin has changed it since; creates it where there is none. */
  openBySetup(name: string, projectId: string): Promise<void>;
  /** @returns the pool after the change; undefined when its revision is another, or it is gone */
  replace(name: string, revision: number, settings: PoolSettings): Promise<Pool | undefined>;
  /** @returns false when its revision is another, or it is gone */
  remove(name: string, revision: number): Promise<boolean>;
}

export function createPoolStore({ pools }: Pick<Collections, 'pools'>): PoolStore {
  const find = async (name: string) => (await pools.findOne({ _id: name }, OPTIONS)) ?? undefined;
  return {
    find,
    list: () => pools.find({}, OPTIONS).sort({ _id: 1 }).toArray(),
    async openTo(projectId) {
      const found = await pools.find({}, { ...OPTIONS, projection: { projects: 1 } }).toArray();
      const byName = new Map([[DEFAULT_POOL, undefined], ...found.map((pool) => [pool._id, pool] as const)]);
      return [...byName].flatMap(([name, pool]) => (isOpenTo(name, pool, projectId) ? [name] : [])).sort();
    },
    isOpen: async (name, projectId) => isOpenTo(name, await find(name), projectId),
    async insert(name, settings) {
      try {
        await insertPool(pools, name, settings);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async openBySetup(name, projectId) {
      try {
        await insertPool(pools, name, { description: '', projects: [projectId], isOfSetup: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const listed = { _id: name, isOfSetup: true, projects: { $ne: 'all' as const } };
        // The driver's types do not know a field that is a list or a text.
        await pools.updateOne(listed, { $addToSet: { projects: projectId } as never });
      }
    },
    replace: async (name, revision, settings) =>
      (await pools.findOneAndUpdate(
        { _id: name, revision },
        { $set: settings, $currentDate: { modifiedAt: true }, $unset: { isOfSetup: '' }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )) ?? undefined,
    remove: async (name, revision) => (await pools.deleteOne({ _id: name, revision })).deletedCount === 1,
  };
}

/**
 * Only an update can be dated by the database's clock: an upsert that no pool fits.
 * @throws the driver's duplicate-key error when there is one of this name
 */
async function insertPool(
  pools: Collections['pools'],
  _id: string,
  fields: PoolSettings & Pick<Pool, 'isOfSetup'>,
): Promise<void> {
  await pools.updateOne(
    { _id, createdAt: { $exists: false } },
    { $set: { ...fields, revision: 1 }, $currentDate: { createdAt: true, modifiedAt: true } },
    { upsert: true },
  );
}

/** Projects with a live test in a pool. */
export async function projectsUsing({ tests }: Pick<Collections, 'tests'>, name: string): Promise<string[]> {
  return tests.distinct('projectId', { 'definition.pool': name, archivedAt: { $exists: false } }, MIGRATION);
}

/**
 * Creates the records of the pools that were in use before pools had any: the default pool open to all projects, every other
 * one to the projects whose tests name it. Once: the default pool's record, created last, marks it done. Safe to repeat.
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
    insertPool(pools, name, { description: '', projects, isOfSetup: true }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  // Archived tests too: an import may restore them.
  for (const name of names)
    await record(name, await tests.distinct('projectId', { 'definition.pool': name }, MIGRATION));
  await record(DEFAULT_POOL, 'all');
}
