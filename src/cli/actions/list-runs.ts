import { RUN_STATUSES } from '#src/domain/runs/run-status.js';
import { allItems } from '#src/cli/api/pages.js';
import type { ListedRunView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';
import { findProject } from '#src/cli/find/find-project.js';
import { findTarget } from '#src/cli/find/find-target.js';
import { parseCount, parseMoment } from '#src/cli/option-values.js';
import { paintStatus } from '#src/cli/run/status.js';
import { formatMoment, formatSeconds, table } from '#src/cli/text.js';

interface ListOptions {
  status: string[];
  kind?: string;
  test?: string;
  suite?: string;
  trigger?: string;
  since?: string;
  until?: string;
  limit: string;
}

const MAX_LIMIT = 10_000;

/** `runhook run list`. */
export const listRuns: Action<ListOptions> = async (cli, options) => {
  const query = await queryOf(cli, options);
  const limit = parseCount(options.limit, '--limit', MAX_LIMIT);
  const project = await findProject(cli);
  const runs = await allItems<ListedRunView>(cli.http(), { path: `/projects/${project.id}/runs/`, query }, limit);
  if (cli.output.asJson) return cli.output.json(runs);
  if (runs.length === 0) return cli.output.note('No runs found.');
  const rows = runs.map((run) => [
    run.id,
    run.status,
    run.kind,
    formatMoment(run.queued),
    run.duration === null ? '' : formatSeconds(run.duration),
    run.name,
  ]);
  const text = table(['ID', 'STATUS', 'KIND', 'QUEUED', 'TOOK', 'NAME'], rows);
  cli.output.write(
    text.replace(/^(\S+ {2})(\w+)/gm, (all, id: string, status: string) => {
      const known = RUN_STATUSES.find((one) => one === status);
      return known ? `${id}${paintStatus(cli.output, known)}` : all;
    }),
  );
};

async function queryOf(cli: Cli, { status, kind, test, suite, trigger, since, until }: ListOptions) {
  for (const one of status)
    if (!(RUN_STATUSES as readonly string[]).includes(one))
      throw new UsageError(`Unknown status "${one}". Statuses: ${RUN_STATUSES.join(', ')}`);
  if (kind !== undefined && kind !== 'test' && kind !== 'suite') throw new UsageError('--kind must be test or suite.');
  if (test && suite) throw new UsageError('Set either --test or --suite, not both.');
  const target = test ? await findTarget(cli, 'test', test) : suite ? await findTarget(cli, 'suite', suite) : undefined;
  return {
    status,
    kind,
    trigger,
    targetId: target?.id,
    since: since && parseMoment(since, '--since'),
    until: until && parseMoment(until, '--until'),
  };
}
