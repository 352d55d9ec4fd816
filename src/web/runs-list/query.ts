import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import { STARTERS, type TriggerType } from '#src/domain/runs/run.js';
import type { ListRequest } from '#src/services/runs/list-runs.js';
import { paging, uuid } from '#src/server/api/shapes.js';
import type { RunsFilter } from './filter.js';

/** Ticked boxes. */
const someOf = (values: readonly string[]) =>
  Joi.array()
    .items(Joi.string().valid(...values))
    .single()
    .unique();

/** Several statuses of runs. */
export const statuses = someOf(RUN_STATUSES);

/** As fields of forms send it: without a zone, and meant in UTC. Or whole, as others write it. */
const moment = Joi.string()
  .isoDate()
  .empty('')
  .custom((text: string, helpers) => (Number.isNaN(momentOf(text).getTime()) ? helpers.error('string.isoDate') : text))
  .messages({ 'string.isoDate': '{{#label}} must be a time such as 2026-08-02T10:15' });

/** Filters in the address of a list of runs. */
export const runsFilters = {
  status: statuses,
  kind: Joi.string().valid('test', 'suite').empty(''),
  trigger: someOf(STARTERS),
  targetId: uuid.empty(''),
  since: moment,
  until: moment,
};

export const runsQuery = { ...runsFilters, cursor: paging.cursor };

export interface RunsFilterQuery {
  status?: RunStatus[];
  kind?: TargetKind;
  trigger?: TriggerType[];
  targetId?: string;
  since?: string;
  until?: string;
}

/** What the filters ask of a project's runs. */
export function listRequestOf(projectId: string, query: RunsFilterQuery): ListRequest & { projectId: string } {
  const { status, kind, trigger, targetId, since, until } = query;
  return {
    projectId,
    statuses: status,
    kind,
    triggers: trigger,
    targetId,
    since: since ? momentOf(since) : undefined,
    until: until ? momentOf(until) : undefined,
  };
}

/** The filters as their form shows them. */
export function shownFilter({ status, kind, trigger, targetId, since, until }: RunsFilterQuery): RunsFilter {
  return {
    statuses: status,
    kind,
    triggers: trigger,
    targetId,
    since: since && fieldValueOf(since),
    until: until && fieldValueOf(until),
  };
}

const fieldValueOf = (text: string) => momentOf(text).toISOString().slice(0, 16);

function momentOf(text: string): Date {
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T');
  return new Date(hasZone ? text : `${text}Z`);
}
