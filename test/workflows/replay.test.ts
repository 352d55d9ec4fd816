import { fileURLToPath } from 'node:url';
import { Worker, type WorkflowBundle } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { expect } from 'chai';
import { bundle } from './support/environment.js';
import { readHistories, type RecordedHistory } from './support/histories.js';
import { sharedEnvironment } from './support/shared-environment.js';
import { reconcileCases, retentionCases } from './support/maintenance-cases.js';
import { scheduleCases } from './support/schedule-cases.js';
import { suiteLineCases } from './support/suite-line-cases.js';
import { suiteRunCases } from './support/suite-run-cases.js';
import { testRunCases } from './support/test-run-cases.js';

const CHANGED = fileURLToPath(new URL('../fixtures/changed-workflows/index.ts', import.meta.url));

/** The result of each history's replay; undefined: success. */
async function replay(workflowBundle: WorkflowBundle, histories: RecordedHistory[]): Promise<Map<string, unknown>> {
  const errors = new Map<string, unknown>();
  // By name, because runs of one workflow share its ID.
  const named = histories.map(({ name, history }) => ({ workflowId: name, history }));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, named))
    errors.set(workflowId, error);
  return errors;
}

describe('recorded histories', () => {
  let histories: RecordedHistory[];
  before(async () => {
    // The runtime's options are set by the environment.
    await sharedEnvironment();
    histories = await readHistories();
  });

  it('exist for every case of the workflow tests', () => {
    const names = [
      ...Object.keys(testRunCases).map((name) => `testRun-${name}`),
      ...Object.keys(suiteRunCases).map((name) => `suiteRun-${name}`),
      ...Object.keys(suiteLineCases).map((name) => `suiteLine-${name}`),
      ...Object.keys(reconcileCases).map((name) => `reconcileRuns-${name}`),
      ...Object.keys(retentionCases).map((name) => `removeExpiredRuns-${name}`),
      ...Object.keys(scheduleCases).map((name) => `scheduledTrigger-${name}`),
    ];
    const recorded = histories.map(({ name }) => name);
    expect(recorded, 'record what is missing: npm run record:histories').to.include.members(names);
  });

  it('replay on the current workflows without differences', async () => {
    const errors = await replay(await bundle(), histories);
    expect(errors.size).to.equal(histories.length);
    for (const [name, error] of errors) expect(error, name).to.equal(undefined);
  });

  it('do not replay on changed workflows', async () => {
    const [test, suite] = ['testRun-passed', 'suiteRun-passed'].map((name) =>
      histories.find((one) => one.name === name)!,
    );
    const errors = await replay(await bundle(CHANGED), [test!, suite!]);
    expect(errors.get('testRun-passed')).to.be.instanceOf(DeterminismViolationError);
    expect(errors.get('suiteRun-passed')).to.be.instanceOf(DeterminismViolationError);
  });

  it('contain nothing about the machine on which they were recorded', () => {
    expect(JSON.stringify(histories)).not.to.match(/\/(?:work|home|root|usr|tmp)\/|node_modules|@\w+-?\w+"/);
  });
});
