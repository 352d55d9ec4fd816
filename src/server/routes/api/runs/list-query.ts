import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import { STARTERS, type TriggerType } from '#src/domain/runs/run.js';
import type { PageRequest } from '#src/domain/page.js';
import type { ListRequest } from '#src/services/runs/list-runs.js';
import { paging, uuid } from '#src/server/api/shapes.js';

const someOf = (values: readonly string[]) =>
  Joi.array()
    .items(Joi.string().valid(...values))
    .single()
    .unique();

const since = Joi.string()
  .isoDate()
  .custom((text: string, helpers) => (Number.isNaN(Date.parse(text)) ? helpers.error('string.isoDate') : text));

/** Filters of every list of runs. */
export const filters = {
  ...paging,
  status: someOf(RUN_STATUSES).description('Repeat the parameter for several values.'),
  targetId: uuid.description('Runs of one test or suite. For a test, this includes its runs within suite runs.'),
  trigger: someOf(STARTERS).description('Repeat the parameter for several values.'),
  since: since.description('Runs queued at or after this time.'),
  until: since.description('Runs queued at or before this time.'),
};

export interface ListQuery extends PageRequest {
  status?: RunStatus[];
  kind?: TargetKind;
  targetId?: string;
  trigger?: TriggerType[];
  since?: string;
  until?: string;
  projectId?: string;
}

/** The filter of a list's query. */
export function listRequestOf({ status, trigger, since, until, kind, targetId, projectId }: ListQuery): ListRequest {
  return {
    statuses: status,
    triggers: trigger,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    kind,
    targetId,
    projectId,
  };
}
