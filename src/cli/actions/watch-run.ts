import type { Action } from '../commands/define.js';
import { findRun } from '../find/run.js';
import { followRun, planFollowing, type FollowOptions } from '../run/follow-run.js';

/** `runhook run watch`. */
export const watchRun: Action<FollowOptions, [string]> = async (cli, options, id) => {
  const plan = await planFollowing(cli, options);
  return followRun(cli, await findRun(cli, id), plan);
};
