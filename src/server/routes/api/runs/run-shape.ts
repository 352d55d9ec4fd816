import Joi from 'joi';
import { TARGET_KINDS, type TargetKind } from '#src/domain/targets/target-kind.js';
import { casesOf } from '#src/domain/runs/cases-of-run.js';
import { RUN_STATUSES } from '#src/domain/runs/run-status.js';
import { STARTERS, type ListedRun, type ListedSuite, type ListedTest } from '#src/domain/runs/run.js';
import { CASE_STATUSES } from '#src/domain/runs/test-case.js';
import { moment, uuid } from '#src/server/api/shapes.js';

const orNull = (schema: Joi.Schema) => schema.allow(null).required();
const text = Joi.string().allow('');

/** Fields of every run in responses. */
const common = {
  id: uuid.required(),
  kind: Joi.string()
    .valid(...TARGET_KINDS)
    .required(),
  projectId: uuid.required(),
  name: text.required().description('The name of the test or suite.'),
  status: Joi.string()
    .valid(...RUN_STATUSES)
    .required(),
  queued: moment.required(),
  started: orNull(moment),
  ended: orNull(moment),
  duration: orNull(Joi.number().min(0)).description('Seconds since the start, until the end.'),
  modified: moment.required(),
  errorCode: orNull(Joi.string()),
  errorMessage: orNull(text),
  reason: orNull(text).description('What a queued run is waiting for, or why a run was skipped.'),
  triggeredBy: Joi.object({
    type: Joi.string()
      .valid(...STARTERS, 'suite')
      .required(),
    name: orNull(text).description('Email address of a person, or name of a project API token.'),
    userId: orNull(uuid),
  }).required(),
  profileId: orNull(uuid),
  profileName: orNull(text),
  rerunOf: orNull(uuid),
  webappUrl: Joi.string().uri().required(),
};

const caseCounts = Joi.object(
  Object.fromEntries(CASE_STATUSES.map((status) => [status, Joi.number().integer().min(0).required()])),
);

export const testRunFields = {
  ...common,
  testId: uuid.required(),
  attempt: Joi.number().integer().min(0).required().description('The current attempt; 0 before the first.'),
  cases: orNull(caseCounts).description('Number of cases by status, in the results of the last attempt.'),
  suiteRunId: orNull(uuid),
  position: orNull(Joi.number().integer()).description('Position in the suite run, from 0.'),
};
export const suiteRunFields = { ...common, suiteId: uuid.required() };

export const listedTestRun = Joi.object(testRunFields);
export const listedSuiteRun = Joi.object(suiteRunFields);

const iso = (at: Date | undefined) => at?.toISOString() ?? null;

/** A test run in lists. */
export function showListedTest(run: ListedTest, publicUrl: string, now: Date) {
  const { targetId: testId, attempt, suiteRunId = null, position = null } = run;
  return { ...showCommon(run, publicUrl, now), testId, attempt, cases: casesOf(run) ?? null, suiteRunId, position };
}

/** A suite run in lists. */
export function showListedSuite(run: ListedSuite, publicUrl: string, now: Date) {
  return { ...showCommon(run, publicUrl, now), suiteId: run.targetId };
}

/** A run in lists. @param now by the database's clock, for the duration of an open run */
export function showListed(run: ListedRun, publicUrl: string, now: Date) {
  return run.kind === 'test' ? showListedTest(run, publicUrl, now) : showListedSuite(run, publicUrl, now);
}

function showCommon<Kind extends TargetKind>(run: ListedRun & { kind: Kind }, publicUrl: string, now: Date) {
  const { queuedAt, startedAt, endedAt, modified, triggeredBy } = run;
  const kind: Kind = run.kind;
  return {
    id: run._id,
    kind,
    projectId: run.projectId,
    name: run.targetName,
    status: run.status,
    queued: queuedAt.toISOString(),
    started: iso(startedAt),
    ended: iso(endedAt),
    duration: startedAt ? Math.max(0, (endedAt ?? now).getTime() - startedAt.getTime()) / 1000 : null,
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
}
