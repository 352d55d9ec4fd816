import { isUuid } from '../../domain/ids.js';
import { ApiError } from '../api/http-errors.js';
import type { RunView, TargetKind } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { UsageError } from '../cli-error.js';

/** Path of a run below the API. */
export function runPath({ kind, id }: { kind: TargetKind; id: string }): string {
  return `/${kind}runs/${id}/`;
}

/** A test run or suite run by its id. @throws UsageError when `id` is no id; ApiError when there is no such run */
export async function findRun({ http }: Cli, id: string): Promise<RunView> {
  const uuid = id.toLowerCase();
  if (!isUuid(uuid)) throw new UsageError(`"${id}" is no id of a run. See: runhook run list`);
  try {
    return await http().json<RunView>({ path: runPath({ kind: 'test', id: uuid }) });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return http().json<RunView>({ path: runPath({ kind: 'suite', id: uuid }) });
  }
}
