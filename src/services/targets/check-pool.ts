import type { PoolStore } from '#src/db/pools/pool-store.js';
import { invalidField } from '#src/domain/errors.js';
import { DEFAULT_POOL, poolRefusal } from '#src/domain/pool.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import type { ProjectFile } from '#src/domain/project-file/project-file.js';

type Pools = Pick<PoolStore, 'openTo'>;

/** @throws InvalidInputError with the project's pools when a test uses another one */
export async function checkPool(pools: Pools, projectId: string, definition: object): Promise<void> {
  const { pool } = definition as { pool?: string };
  if (pool === undefined) return;
  const open = await pools.openTo(projectId);
  if (open.includes(pool)) return;
  throw invalidField('pool', `pool: ${poolRefusal(pool, open)}`);
}

/**
 * @param options `bySetup`: also allows pools that set-up can open, see openPoolsOfFile
 * @throws ProjectFileError with the project's pools when tests of a file use others
 */
export async function checkPoolsOfFile(
  pools: Pick<PoolStore, 'openTo' | 'list'>,
  file: ProjectFile,
  fileName: string,
  { bySetup = false } = {},
): Promise<void> {
  const open = await pools.openTo(file.id);
  const closed = bySetup ? (await pools.list()).filter(({ isOfSetup }) => !isOfSetup).map(({ _id }) => _id) : undefined;
  const problems = file.tests.flatMap(({ name, line, definition: { pool } }) =>
    open.includes(pool) || closed?.includes(pool) === false
      ? []
      : [{ line, message: `the test "${name}": ${poolRefusal(pool, open)}` }],
  );
  if (problems.length > 0) throw new ProjectFileError(fileName, problems);
}

/**
 * Creates missing pools of a file, and opens pools that set-up created to the file's project. Set-up has an admin's
 * rights; pools that an admin created do not change.
 */
export async function openPoolsOfFile(pools: Pick<PoolStore, 'openBySetup'>, file: ProjectFile): Promise<void> {
  const names = new Set(file.tests.map(({ definition }) => definition.pool));
  names.delete(DEFAULT_POOL);
  for (const name of names) await pools.openBySetup(name, file.id);
}
