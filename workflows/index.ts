export { reconcileRuns } from './reconcile-runs.js';
export { removeExpiredRuns } from './remove-expired-runs.js';
export { scheduledTrigger } from './scheduled-trigger.js';
export { suiteLine } from './suite-line.js';
export { suiteRun } from './suite-run.js';
export { testRun } from './test-run.js';
