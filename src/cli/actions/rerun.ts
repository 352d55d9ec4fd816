import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { findRun, runPath } from '#src/cli/find/find-run.js';
import { followRun, planFollowing, type FollowOptions } from '#src/cli/run/follow-run.js';
import { startRun } from './run-target.js';

interface RerunOptions extends FollowOptions {
  failed?: boolean;
  idempotencyKey?: string;
}

/** `runhook run rerun`. */
export const rerun: Action<RerunOptions, [string]> = async (cli, options, id) => {
  const plan = await planFollowing(cli, options);
  const run = await findRun(cli, id);
  if (options.failed && run.kind === 'test')
    throw new UsageError('--failed is only for suite runs, and this is a test run.');
  const path = `${runPath(run)}${options.failed ? 'rerun-failed' : 'rerun'}/`;
  return followRun(cli, await startRun(cli, path, options.idempotencyKey, { triggeredBy: 'cli' }), plan);
};
