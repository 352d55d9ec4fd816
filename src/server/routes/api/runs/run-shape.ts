import Joi from 'joi';
import { casesOf } from '../../../../domain/cases-of-run.js';
import { RUN_STATUSES } from '../../../../domain/run-status.js';
import { STARTERS, type ListedRun } from '../../../../domain/run.js';
import { CASE_STATUSES } from '../../../../domain/test-case.js';
import { moment, uuid } from '../../../api/shapes.js';

const RUN_KINDS = ['test', 'suite'] as const;

const orNull = (schema: Joi.Schema) => schema.allow(null).required();
const text = Joi.string().allow('');

/** What every answer about a run holds. */
const common = {
  id: uuid.required(),
  kind: Joi.string()
    .valid(...RUN_KINDS)
    .required(),
  projectId: uuid.required(),
  name: text.required().description('Of the test or suite.'),
  status: Joi.string()
    .valid(...RUN_STATUSES)
    .required(),
  queued: moment.required(),
  started: orNull(moment),
  ended: orNull(moment),
  duration: orNull(Joi.number().min(0)).description('From its start, in seconds.'),
  modified: moment.required(),
  errorCode: orNull(Joi.string()),
  errorMessage: orNull(text),
  reason: orNull(text).description('What a queued run waits for, or why a run was skipped.'),
  triggeredBy: Joi.object({
    type: Joi.string()
      .valid(...STARTERS, 'suite')
      .required(),
    name: orNull(text).description('E-mail of a person, or the name of a project’s token.'),
    userId: orNull(uuid),
  }).required(),
  profileId: orNull(uuid),
  profileName: orNull(text),
  rerunOf: orNull(uuid),
  webappUrl: Joi.string().uri().required(),
};

export const caseCounts = Joi.object(
  Object.fromEntries(CASE_STATUSES.map((status) => [status, Joi.number().integer().min(0).required()])),
);

export const testRunFields = {
  ...common,
  testId: uuid.required(),
  attempt: Joi.number().integer().min(0).required().description('The attempt at hand; 0 before the first.'),
  cases: orNull(caseCounts).description('How many cases of its results have each status; of the last attempt.'),
  suiteRunId: orNull(uuid),
  position: orNull(Joi.number().integer()).description('Place in its suite run, from 0.'),
};
export const suiteRunFields = { ...common, suiteId: uuid.required() };

export const listedTestRun = Joi.object(testRunFields);
export const listedSuiteRun = Joi.object(suiteRunFields);

const iso = (at: Date | undefined) => at?.toISOString() ?? null;

/** A run as lists show it. */
export function showListed(run: ListedRun, publicUrl: string) {
  const { queuedAt, startedAt, endedAt, modified, triggeredBy } = run;
  const shown = {
    id: run._id,
    kind: run.kind,
    projectId: run.projectId,
    name: run.targetName,
    status: run.status,
    queued: queuedAt.toISOString(),
    started: iso(startedAt),
    ended: iso(endedAt),
    duration: startedAt ? Math.max(0, (endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000 : null,
    modified: modified.toISOString(),
    errorCode: run.errorCode ?? null,
    errorMessage: run.errorMessage ?? null,
    reason: run.reason ?? null,
    triggeredBy: { type: triggeredBy.type, name: triggeredBy.name ?? null, userId: triggeredBy.userId ?? null },
    profileId: run.profileId ?? null,
    profileName: run.profileName ?? null,
    rerunOf: run.rerun?.of ?? null,
    webappUrl: `${publicUrl}/runs/${run._id}`,
  };
  if (run.kind === 'suite') return { ...shown, suiteId: run.targetId };
  const { targetId: testId, attempt, suiteRunId = null, position = null } = run;
  return { ...shown, testId, attempt, cases: casesOf(run) ?? null, suiteRunId, position };
}
