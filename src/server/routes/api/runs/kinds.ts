import Joi from 'joi';
import { RUN_STATUSES } from '../../../../domain/run-status.js';
import type { Run, RunKind } from '../../../../domain/run.js';
import type { ProjectRight } from '../../../../domain/rights.js';
import type { Access } from '../../../access.js';
import { moment, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { suiteRunDetails, testRunDetails } from './run-details.js';
import { listedSuiteRun, listedTestRun } from './run-shape.js';

/** What differs between the calls about test runs and those about suite runs. */
export const KINDS = {
  test: { path: '/testruns/', one: 'test run', owned: 'testRun', details: testRunDetails, listed: listedTestRun },
  suite: { path: '/suiteruns/', one: 'suite run', owned: 'suiteRun', details: suiteRunDetails, listed: listedSuiteRun },
} as const;

export const TAG = 'Runs';

export const runParams = Joi.object({ runId: uuid.required() });
export interface RunParams {
  Params: { runId: string };
}

/** The right in the project of the run that the path names. */
export function ofRun(kind: RunKind, right: ProjectRight, { owners }: Pick<RouteDeps, 'owners'>): Access {
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
