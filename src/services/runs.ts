import { createRunLists } from '../db/list-runs.js';
import { createProfileStore } from '../db/profiles.js';
import { createRunQueries } from '../db/read-runs.js';
import { createLogReads } from '../db/run-logs.js';
import { runStepsOf } from '../db/run-steps.js';
import { pageOfCases } from '../db/run-cases.js';
import { createScheduleStore } from '../db/schedules.js';
import { createRunStatusStore } from '../db/run-status.js';
import { suiteSlots } from '../db/suite-slots.js';
import { createSuiteRunStore } from '../db/suite-runs.js';
import { createArtifactReader } from './runs/artifacts.js';
import { findRun } from './runs/find-run.js';
import { createLogFollower } from './runs/follow-log.js';
import { createRunLister } from './runs/list-runs.js';
import { createProfileServices } from './runs/profiles.js';
import { createCaseReader } from './runs/read-cases.js';
import { createLogReader } from './runs/read-log.js';
import { createRerunner } from './runs/rerun.js';
import { createRunStarter } from './runs/start-run.js';
import { createRunStopper } from './runs/stop-run.js';
import { showCounts, showRun } from './runs/show-run.js';
import { createStepReader } from './runs/steps.js';
import { createSlotReader } from './runs/suite-slots.js';
import type { ServiceDeps } from './service-deps.js';
import type { RunTrigger } from './trigger-run.js';

export type RunServices = ReturnType<typeof createRunServices>;

export interface RunServiceDeps extends ServiceDeps {
  trigger: Pick<RunTrigger, 'byApi'>;
  /** As in StopRunDeps. */
  cancel(runId: string): Promise<boolean>;
  isDraining(): boolean;
}

/** What can be done with runs and profiles of variables. Rights are the door's. */
export function createRunServices(deps: RunServiceDeps) {
  const { collections, secretKeys, audit, trigger, access, cancel, isDraining } = deps;
  const queries = createRunQueries(collections);
  const lists = createRunLists(collections);
  const logs = createLogReads(collections.runLogs);
  const profiles = createProfileStore(collections);
  const suiteRuns = createSuiteRunStore(collections);
  return {
    start: createRunStarter({ trigger, profiles, secretKeys, audit }),
    stop: createRunStopper({ queries, statuses: createRunStatusStore(collections.runs), cancel, audit }),
    ...createRerunner({ trigger, queries, suiteRuns, audit }),
    list: createRunLister({ lists, access }),
    listed: lists.byIds,
    countOf: lists.count,
    testsOf: lists.ofSuite,
    testsAt: lists.atPositions,
    slotsOf: createSlotReader((suiteRunId) => suiteSlots(collections, suiteRunId)),
    find: findRun.bind(undefined, queries),
    findTest: (runId: string) => findRun(queries, 'test', runId),
    show: showRun({ queries, lists }),
    showSuite: showCounts(queries),
    log: createLogFollower({
      lines: logs.after,
      statusOf: queries.statusOf,
      isDraining,
    }),
    readLog: createLogReader(logs),
    steps: createStepReader(runStepsOf.bind(undefined, collections)),
    cases: createCaseReader(pageOfCases.bind(undefined, collections)),
    artifacts: createArtifactReader(collections, secretKeys),
    profiles: createProfileServices({ profiles, schedules: createScheduleStore(collections), secretKeys, audit }),
  };
}
