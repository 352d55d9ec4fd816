export { reconcileRuns } from './reconcile-runs.js';
export { suiteRun } from './suite-run.js';
export { testRun } from './test-run.js';
