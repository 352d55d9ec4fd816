import { randomUUID } from 'node:crypto';
import type { Cli } from '../cli.js';
import type { RunView, TargetKind } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { UsageError } from '../cli-error.js';
import { findProfile } from '../find/profile.js';
import { findTarget } from '../find/target.js';
import { parseVariables } from '../option-values.js';
import { followRun, planFollowing, type FollowOptions } from '../run/follow-run.js';

interface RunOptions extends FollowOptions {
  variable: string[];
  secretVariable: string[];
  profile?: string;
  idempotencyKey?: string;
}

/** How long a server may be away while a run is started, in ms. */
const START_PATIENCE_MS = 120_000;

/** `runhook test run`, `runhook suite run`. */
export function runTarget(kind: TargetKind): Action<RunOptions, [string]> {
  return async (cli, options, name) => {
    const variables = parseVariables(options.variable, options.secretVariable, cli.io.env);
    const plan = await planFollowing(cli, options);
    const target = await findTarget(cli, kind, name);
    const profileId = options.profile && (await findProfile(cli, target.projectId, options.profile));
    const run = await startRun(cli, `/${kind}runs/`, options.idempotencyKey, {
      [`${kind}Id`]: target.id,
      ...(profileId ? { runProfileId: profileId } : {}),
      ...(variables.length > 0 ? { variables } : {}),
      triggeredBy: 'cli',
    });
    return followRun(cli, run, plan);
  };
}

/**
 * Starts a run; with a key, so that a call whose answer was lost can be made again without a second run.
 * @throws UsageError when the key is malformed
 */
export async function startRun(cli: Cli, path: string, key: string | undefined, json: unknown): Promise<RunView> {
  const idempotencyKey = key ?? randomUUID();
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
    throw new UsageError('--idempotency-key takes 1 to 255 printable ASCII characters.');
  return cli.http().json<RunView>({
    method: 'POST',
    path,
    json,
    headers: { 'idempotency-key': idempotencyKey },
    repeatable: true,
    patienceMs: START_PATIENCE_MS,
  });
}
