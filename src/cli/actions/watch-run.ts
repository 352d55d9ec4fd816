import type { Action } from '#src/cli/commands/define.js';
import { findRun } from '#src/cli/find/find-run.js';
import { followRun, planFollowing, type FollowOptions } from '#src/cli/run/follow-run.js';

/** `runhook run watch`. */
export const watchRun: Action<FollowOptions, [string]> = async (cli, options, id) => {
  const plan = await planFollowing(cli, options);
  return followRun(cli, await findRun(cli, id), plan);
};
