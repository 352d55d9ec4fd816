import { randomUUID } from 'node:crypto';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Cli } from '#src/cli/cli.js';
import type { RunView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { findVariableSet } from '#src/cli/find/find-variable-set.js';
import { findTarget } from '#src/cli/find/find-target.js';
import { parseVariables } from '#src/cli/option-values.js';
import { followRun, planFollowing, type FollowOptions } from '#src/cli/run/follow-run.js';

interface RunOptions extends FollowOptions {
  variable: string[];
  secretVariable: string[];
  profile?: string;
  idempotencyKey?: string;
}

/** How long to retry starting a run while the server is unavailable, in ms. */
const START_PATIENCE_MS = 120_000;

/** `runhook test run`, `runhook suite run`. */
export function runTarget(kind: TargetKind): Action<RunOptions, [string]> {
  return async (cli, options, name) => {
    const variables = parseVariables(options.variable, options.secretVariable, cli.io.env);
    const plan = await planFollowing(cli, options);
    const target = await findTarget(cli, kind, name);
    const variableSetId = options.profile && (await findVariableSet(cli, target.projectId, options.profile));
    const run = await startRun(cli, `/${kind}runs/`, options.idempotencyKey, {
      [`${kind}Id`]: target.id,
      runProfileId: variableSetId,
      variables: variables.length > 0 ? variables : undefined,
      triggeredBy: 'cli',
    });
    return followRun(cli, run, plan);
  };
}

/**
 * Starts a run with an idempotency key, so that a lost response does not lead to a second run.
 * @throws UsageError when the key is malformed
 */
export async function startRun(cli: Cli, path: string, key: string | undefined, json: unknown): Promise<RunView> {
  const idempotencyKey = key ?? randomUUID();
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
    throw new UsageError('--idempotency-key must be 1 to 255 printable ASCII characters.');
  return cli.http().json<RunView>({
    method: 'POST',
    path,
    json,
    headers: { 'idempotency-key': idempotencyKey },
    repeatable: true,
    patienceMs: START_PATIENCE_MS,
  });
}
