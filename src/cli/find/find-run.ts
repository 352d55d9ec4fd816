import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { isUuid } from '#src/domain/ids.js';
import { ApiError } from '#src/cli/api/http-errors.js';
import type { RunView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';

/** The API path of a run. */
export function runPath({ kind, id }: { kind: TargetKind; id: string }): string {
  return `/${kind}runs/${id}/`;
}

/** Finds a test run or suite run. @throws UsageError when `id` is malformed; ApiError when the run does not exist */
export async function findRun({ http }: Cli, id: string): Promise<RunView> {
  const uuid = id.toLowerCase();
  if (!isUuid(uuid)) throw new UsageError(`"${id}" is not a run ID. List runs with \`runhook run list\`.`);
  try {
    return await http().json<RunView>({ path: runPath({ kind: 'test', id: uuid }) });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return http().json<RunView>({ path: runPath({ kind: 'suite', id: uuid }) });
  }
}
