import { randomUUID } from 'node:crypto';
import type { ScheduleView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { findVariableSet } from '#src/cli/find/find-variable-set.js';
import { findProject } from '#src/cli/find/find-project.js';
import { findTarget } from '#src/cli/find/find-target.js';
import { parseDuration } from '#src/cli/option-values.js';
import { formatMoment, oneLine } from '#src/cli/text.js';

interface CreateOptions {
  cron: string;
  test?: string;
  suite?: string;
  timeZone: string;
  catchUp: string;
  profile?: string;
  paused?: boolean;
}

/** `runhook schedule create`: prints the ID on stdout, for scripts. */
export const createSchedule: Action<CreateOptions, [string]> = async (cli, options, name) => {
  const { cron, test, suite, timeZone, catchUp, profile, paused = false } = options;
  if ((test === undefined) === (suite === undefined)) throw new UsageError('Set either --test or --suite.');
  const catchUpMs = parseDuration(catchUp, '--catch-up');
  const project = await findProject(cli);
  const kind = test === undefined ? 'suite' : 'test';
  const target = await findTarget(cli, kind, test ?? suite!);
  const created = await cli.http().json<ScheduleView>({
    method: 'POST',
    path: `/projects/${project.id}/schedules/`,
    json: {
      name,
      [`${kind}Id`]: target.id,
      cron,
      timeZone,
      catchUpMs,
      paused,
      runProfileId: profile && (await findVariableSet(cli, project.id, profile)),
    },
    headers: { 'idempotency-key': randomUUID() },
    repeatable: true,
  });
  if (cli.output.asJson) return cli.output.json(created);
  const next = paused ? 'The schedule is paused.' : `First run: ${formatMoment(created.nextTimes[0])}.`;
  cli.output.note(`Schedule "${oneLine(created.name)}" created for the ${kind} "${oneLine(target.name)}". ${next}`);
  cli.output.print(created.id);
};
