import { randomUUID } from 'node:crypto';
import type { ScheduleView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { UsageError } from '../cli-error.js';
import { findProfile } from '../find/profile.js';
import { findProject } from '../find/project.js';
import { findTarget } from '../find/target.js';
import { parseDuration } from '../option-values.js';
import { formatMoment, oneLine } from '../text.js';

interface CreateOptions {
  cron: string;
  test?: string;
  suite?: string;
  timeZone: string;
  catchUp: string;
  profile?: string;
  paused?: boolean;
}

/** `runhook schedule create`: its id on stdout, for scripts. */
export const createSchedule: Action<CreateOptions, [string]> = async (cli, options, name) => {
  const { cron, test, suite, timeZone, catchUp, profile, paused = false } = options;
  if ((test === undefined) === (suite === undefined)) throw new UsageError('Say what it starts: --test or --suite.');
  const catchUpMs = parseDuration(catchUp, '--catch-up');
  const project = await findProject(cli);
  const kind = test === undefined ? 'suite' : 'test';
  const target = await findTarget(cli, kind, test ?? suite!);
  const made = await cli.http().json<ScheduleView>({
    method: 'POST',
    path: `/projects/${project.id}/schedules/`,
    json: {
      name,
      [`${kind}Id`]: target.id,
      cron,
      timeZone,
      catchUpMs,
      paused,
      ...(profile === undefined ? {} : { runProfileId: await findProfile(cli, project.id, profile) }),
    },
    headers: { 'idempotency-key': randomUUID() },
    repeatable: true,
  });
  if (cli.voice.asJson) return cli.voice.json(made);
  const next = paused ? 'It is paused.' : `It comes first at ${formatMoment(made.nextTimes[0])}.`;
  cli.voice.note(`"${oneLine(made.name)}" starts the ${kind} "${oneLine(target.name)}". ${next}`);
  cli.voice.print(made.id);
};
