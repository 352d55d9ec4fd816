import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { RUN_STATUSES } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';
import type { ProjectRight } from '#src/domain/people/rights.js';
import type { Access } from '#src/server/http/route-access.js';
import { moment, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { suiteRunDetails, testRunDetails } from './run-details.js';
import { listedSuiteRun, listedTestRun } from './run-shape.js';

/** What differs between the routes of test runs and suite runs. */
export const KINDS = {
  test: { path: '/testruns/', one: 'test run', owned: 'testRun', details: testRunDetails, listed: listedTestRun },
  suite: { path: '/suiteruns/', one: 'suite run', owned: 'suiteRun', details: suiteRunDetails, listed: listedSuiteRun },
} as const;

export const TAG = 'Runs';

export const runParams = Joi.object({ runId: uuid.required() });
export interface RunParams {
  Params: { runId: string };
}

/** Requires a right in the project of the run in the path. */
export function ofRun(kind: TargetKind, right: ProjectRight, { owners }: Pick<RouteDeps, 'owners'>): Access {
  return { right, project: ({ params }) => owners(KINDS[kind].owned, params.runId) };
}

export const statusShape = Joi.object({
  id: uuid.required(),
  status: Joi.string()
    .valid(...RUN_STATUSES)
    .required(),
  modified: moment.required(),
  webappUrl: Joi.string().uri().required(),
});

export function showStatus({ _id, status, modified }: Run, publicUrl: string) {
  return { id: _id, status, modified: modified.toISOString(), webappUrl: `${publicUrl}/runs/${_id}` };
}
