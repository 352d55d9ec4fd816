import { RUN_STATUSES } from '../../domain/run-status.js';
import { allItems } from '../api/pages.js';
import type { RunView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import type { Cli } from '../cli.js';
import { UsageError } from '../cli-error.js';
import { findProject } from '../find/project.js';
import { findTarget } from '../find/target.js';
import { parseCount, parseMoment } from '../option-values.js';
import { paintStatus } from '../run/status.js';
import { formatMoment, formatSeconds, table } from '../text.js';

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

const MOST = 10_000;

/** `runhook run list`. */
export const listRuns: Action<ListOptions> = async (cli, options) => {
  const query = await queryOf(cli, options);
  const most = parseCount(options.limit, '--limit', MOST);
  const project = await findProject(cli);
  const runs = await allItems<RunView>(cli.http(), { path: `/projects/${project.id}/runs/`, query }, most);
  if (cli.voice.asJson) return cli.voice.json(runs);
  if (runs.length === 0) return cli.voice.note('There are no such runs.');
  const rows = runs.map((run) => [
    run.id,
    run.status,
    run.kind,
    formatMoment(run.queued),
    run.duration === null ? '' : formatSeconds(run.duration),
    run.name,
  ]);
  const text = table(['ID', 'STATUS', 'KIND', 'QUEUED', 'TOOK', 'NAME'], rows);
  cli.voice.write(
    text.replace(/^(\S+ {2})(\w+)/gm, (all, id: string, status: string) => {
      const known = RUN_STATUSES.find((one) => one === status);
      return known ? `${id}${paintStatus(cli.voice, known)}` : all;
    }),
  );
};

async function queryOf(cli: Cli, { status, kind, test, suite, trigger, since, until }: ListOptions) {
  for (const one of status)
    if (!(RUN_STATUSES as readonly string[]).includes(one))
      throw new UsageError(`There is no status "${one}". There are: ${RUN_STATUSES.join(', ')}`);
  if (kind !== undefined && kind !== 'test' && kind !== 'suite') throw new UsageError('--kind is test or suite.');
  if (test && suite) throw new UsageError('Give --test or --suite, not both.');
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
