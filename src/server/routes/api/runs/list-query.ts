import Joi from 'joi';
import { RUN_STATUSES, type RunStatus } from '../../../../domain/run-status.js';
import { STARTERS, type RunKind, type TriggerType } from '../../../../domain/run.js';
import type { PageRequest } from '../../../../domain/page.js';
import type { ListRequest } from '../../../../services/runs/list-runs.js';
import { paging, uuid } from '../../../api/shapes.js';

const someOf = (values: readonly string[]) =>
  Joi.array()
    .items(Joi.string().valid(...values))
    .single()
    .unique();

const since = Joi.string()
  .isoDate()
  .custom((text: string, helpers) => (Number.isNaN(Date.parse(text)) ? helpers.error('string.isoDate') : text));

/** Filters that every list of runs has. */
export const filters = {
  ...paging,
  status: someOf(RUN_STATUSES).description('Several: repeat the parameter.'),
  targetId: uuid.description('Runs of one test or suite; with it a suite’s tests are among them.'),
  trigger: someOf(STARTERS).description('Several: repeat the parameter.'),
  since: since.description('Queued at or after this moment.'),
  until: since.description('Queued at or before this moment.'),
};

export interface ListQuery extends PageRequest {
  status?: RunStatus[];
  kind?: RunKind;
  targetId?: string;
  trigger?: TriggerType[];
  since?: string;
  until?: string;
  projectId?: string;
}

/** What a list's query asks for. */
export function listRequestOf({ status, trigger, since, until, kind, targetId, projectId }: ListQuery): ListRequest {
  return {
    ...(status ? { statuses: status } : {}),
    ...(trigger ? { triggers: trigger } : {}),
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(until === undefined ? {} : { until: new Date(until) }),
    ...(kind ? { kind } : {}),
    ...(targetId === undefined ? {} : { targetId }),
    ...(projectId === undefined ? {} : { projectId }),
  };
}
